// For tests: a process of its own that runs a function and can be killed, and words between it and
// the test. Everything waits 10 s at most.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "share/gate/gate.h"

namespace cbench::share {

constexpr Nanos kTestLimit = 10 * kSecond;

// True once `condition` is, false when it never is.
inline bool Eventually(const std::function<bool()>& condition) {
  for (const Nanos limit = Now() + kTestLimit; Now() < limit; std::this_thread::yield())
    if (condition()) return true;
  return false;
}

class Child {
 public:
  // The body's result is the process's exit code. It starts no threads unless it is the first
  // child of a test without threads.
  explicit Child(const std::function<int(Child&)>& body) {
    if (pipe(up_) != 0 || pipe(down_) != 0) std::abort();
    pid_ = fork();
    if (pid_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::swap(up_, down_);  // reads what the test writes
    _exit(body(*this));
  }
  ~Child() {
    if (!ended_) Kill();
    for (const int fd : {up_[0], up_[1], down_[0], down_[1]}) close(fd);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void Say(const std::string& line) {
    const std::string text = line + "\n";
    if (write(down_[1], text.data(), text.size()) < 0) std::abort();
  }

  std::string Hear() {
    std::string line;
    for (char c = 0;;) {
      pollfd in{up_[0], POLLIN, 0};
      if (poll(&in, 1, static_cast<int>(kTestLimit / kMillisecond)) != 1) return "(nothing heard)";
      if (read(up_[0], &c, 1) != 1 || c == '\n') return line;
      line += c;
    }
  }

  void Signal(int signal) const { kill(pid_, signal); }
  void Kill() {
    Signal(SIGKILL);
    Wait();
  }
  int Wait() {  // its exit code, or minus the signal that ended it
    int status = 0;
    waitpid(pid_, &status, 0);
    ended_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  pid_t pid() const { return pid_; }

 private:
  int up_[2] = {}, down_[2] = {};
  pid_t pid_ = 0;
  bool ended_ = false;
};

// Plain data that the test and its children see.
template <typename T>
class Shared {
 public:
  Shared()
      : data_(new (mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                        0)) T()) {}
  ~Shared() { munmap(data_, sizeof(T)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  T& operator*() const { return *data_; }
  T* operator->() const { return data_; }

 private:
  T* data_;
};

inline StepInfo StepOf(std::string app, AppClass app_class = AppClass::kLatency) {
  return {.kind = StepKind::kDecode, .size = 1, .app = std::move(app), .app_class = app_class};
}

inline int Waiting(Gate& gate) {
  int count = 0;
  for (const auto& step : gate.Status().steps) count += !step.running;
  return count;
}

}  // namespace cbench::share
