// The keeper thread and the handle that other threads hold. See subprocess.h.
#include "base/subprocess.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "base/child_process.h"

namespace cbench {
namespace {

// A request to fork, answered by the keeper.
struct ForkJob {
  std::shared_ptr<ChildProcess> child;
  std::optional<Result<>> answer;  // guarded by Keeper::mutex_
};

class Keeper {
 public:
  static Keeper& Get() {
    // Never destroyed: children outlive every static object but not this process.
    static auto& keeper = *new Keeper;
    return keeper;
  }

  Result<> Fork(std::shared_ptr<ChildProcess> child) {
    ForkJob job{std::move(child), {}};
    std::unique_lock lock(mutex_);
    jobs_.push_back(&job);
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = write(wake_.get(), &one, sizeof one);
    answered_.wait(lock, [&job] { return job.answer.has_value(); });
    return *job.answer;
  }

 private:
  Keeper() : wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
    Watch(wake_);
    std::thread([this] { Run(); }).detach();
  }

  void Watch(const Fd& fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd.get();
    epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd.get(), &event);
  }

  [[noreturn]] void Run() {
    std::array<epoll_event, 32> events;
    for (;;) {
      const int n = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
      bool jobs = false;
      for (int i = 0; i < n; ++i) {
        const int fd = events[static_cast<std::size_t>(i)].data.fd;
        if (fd == wake_.get()) {
          jobs = true;
        } else {
          Act(fd);
        }
      }
      // Last, because it opens descriptors: an event above must not meet a number used anew.
      if (jobs) TakeJobs();
    }
  }

  void Act(int fd) {
    const auto found = children_.find(fd);
    if (found == children_.end()) return;  // closed by an earlier event of the same wait
    const std::shared_ptr<ChildProcess> child = found->second;
    if (fd == child->out().get()) {
      child->ReadOut();
      if (!child->out()) children_.erase(fd);
    } else if (fd == child->err().get()) {
      child->ReadErr();
      if (!child->err()) children_.erase(fd);
    } else {
      Bury(child);
    }
  }

  void Bury(const std::shared_ptr<ChildProcess>& child) {
    std::erase_if(children_, [&child](const auto& entry) { return entry.second == child; });
    epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, child->pidfd().get(), nullptr);
    child->Reap();
  }

  void TakeJobs() {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t n = read(wake_.get(), &count, sizeof count);
    std::vector<ForkJob*> jobs;
    {
      const std::lock_guard lock(mutex_);
      jobs.swap(jobs_);
    }
    for (ForkJob* job : jobs) {
      Result<> answer = job->child->Fork();
      if (answer) Adopt(job->child);
      const std::lock_guard lock(mutex_);
      job->answer = std::move(answer);
      answered_.notify_all();
    }
  }

  void Adopt(const std::shared_ptr<ChildProcess>& child) {
    for (const Fd* fd : {&child->pidfd(), &child->out(), &child->err()}) {
      children_[fd->get()] = child;
      Watch(*fd);
    }
  }

  const Fd wake_, epoll_;
  std::mutex mutex_;
  std::condition_variable answered_;
  std::vector<ForkJob*> jobs_;                             // guarded by mutex_
  std::map<int, std::shared_ptr<ChildProcess>> children_;  // by descriptor; keeper thread only
};

constexpr Nanos kKillWait = 10 * kSecond;  // SIGKILL works at once unless the kernel is stuck

}  // namespace

Subprocess::Subprocess(std::shared_ptr<ChildProcess> child) : child_(std::move(child)) {}

Subprocess::~Subprocess() { Stop(); }

Result<std::unique_ptr<Subprocess>> Subprocess::Start(SubprocessOptions options) {
  if (options.argv.empty()) return InputError("an empty command can't be started");
  auto child = std::make_shared<ChildProcess>(std::move(options));
  CBENCH_TRY(Keeper::Get().Fork(child));
  return std::unique_ptr<Subprocess>(new Subprocess(std::move(child)));
}

pid_t Subprocess::pid() const { return child_->pid(); }

std::optional<Exit> Subprocess::exit() const { return child_->exit(); }

bool Subprocess::WaitUntil(Nanos t) const { return child_->WaitUntil(t); }

void Subprocess::Stop(Nanos grace) {
  child_->Signal(SIGTERM);
  if (child_->WaitUntil(Now() + grace)) return;
  child_->Signal(SIGKILL);
  child_->WaitUntil(Now() + kKillWait);
}

std::string LogTail(const std::filesystem::path& log, int lines) {
  constexpr std::streamoff kTail = 16 << 10;
  std::ifstream in(log, std::ios::binary | std::ios::ate);
  if (!in) return {};
  const std::streamoff size = std::min<std::streamoff>(in.tellg(), kTail);
  in.seekg(-size, std::ios::end);
  std::string text(static_cast<std::size_t>(size), '\0');
  in.read(text.data(), size);
  text.resize(static_cast<std::size_t>(in.gcount()));
  while (text.ends_with('\n')) text.pop_back();
  std::size_t start = text.size();
  for (int i = 0; i < lines && start != std::string::npos && start > 0; ++i) {
    start = text.rfind('\n', start - 1);
  }
  return start == std::string::npos || start == 0 ? text : text.substr(start + 1);
}

}  // namespace cbench
