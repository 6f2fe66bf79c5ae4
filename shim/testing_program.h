// Runs a program under the library, for shim_test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <mutex>

#include "base/file.h"
#include "base/subprocess.h"
#include "base/testing/scratch_folder.h"
#include "share/gate/gate.h"
#include "share/gate_hook.h"
#include "share/program.h"

namespace cbench::shim {

using Environment = std::vector<std::pair<std::string, std::string>>;

inline Environment Preloaded() {
  // The library before the sanitizer's is what preloading means; it does no harm here.
  const char* asan = std::getenv("ASAN_OPTIONS");
  return {{"LD_PRELOAD", CBENCH_SHIM},
          {"ASAN_OPTIONS", std::string(asan ? asan : "") + ":verify_asan_link_order=0"}};
}

inline Environment Behind(const share::Gate& gate, Environment more = {}) {
  Environment environment = Preloaded();
  environment.emplace_back(share::kGateVariable, gate.path());
  environment.insert(environment.end(), more.begin(), more.end());
  return environment;
}

inline std::vector<share::Hold> HoldsOf(share::Gate& gate) {
  std::vector<share::Hold> holds;
  gate.Drain([&](const share::Hold& hold) { holds.push_back(hold); });
  return holds;
}

constexpr Nanos kTestLimit = 100 * kSecond;  // no test gets near it

// A program and what it says; standard error is kept apart.
class RunningProgram {
 public:
  RunningProgram(const std::vector<std::string>& command, Environment environment) {
    SubprocessOptions options;
    options.argv = {"/bin/sh", "-c", "exec \"$@\" 2>\"$0\"", folder_.path() / "stderr"};
    options.argv.insert(options.argv.end(), command.begin(), command.end());
    options.environment = std::move(environment);
    options.hold_stdin = true;
    options.on_line = [this](std::string_view line) { Add(line); };
    auto started = Subprocess::Start(std::move(options));
    EXPECT_TRUE(started) << started.error().message;
    if (started) process_ = std::move(*started);
  }

  // Waits for a line of standard output that `wanted` takes; "" if the limit is over.
  std::string WaitForLine(const std::function<bool(const std::string&)>& wanted) {
    std::unique_lock lock(mutex_);
    std::string found;
    changed_.wait_for(lock, std::chrono::nanoseconds(kTestLimit), [&] {
      for (const std::string& line : lines_)
        if (wanted(line)) found = line;
      return !found.empty();
    });
    return found;
  }

  // What it said, once it has ended.
  std::vector<std::string> Lines() {
    EXPECT_TRUE(process_->WaitUntil(Now() + kTestLimit));
    EXPECT_EQ(process_->exit()->ToString(), "exit status 0");
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  std::string Errors() const { return *ReadFile(folder_.path() / "stderr"); }
  pid_t pid() const { return process_->pid(); }

 private:
  void Add(std::string_view line) {
    const std::lock_guard lock(mutex_);
    lines_.emplace_back(line);
    changed_.notify_all();
  }

  ScratchFolder folder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;  // guarded by mutex_
  std::unique_ptr<Subprocess> process_;
};

}  // namespace cbench::shim
