#include "base/child_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace cbench {
namespace {

constexpr std::size_t kMaxLine = 64u << 10;

struct Pipe {
  Fd read, write;
};

Result<Pipe> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Failure("pipe: {}", std::strerror(errno));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

// Everything the child needs between fork and exec, made before: there it may not allocate.
struct ExecPlan {
  std::vector<std::string> environment;
  std::vector<char*> argv, envp;
  const char* directory = nullptr;
  int in = -1, out = -1, err = -1, report = -1;
  pid_t parent = 0;
};

void AddEnvironment(const SubprocessOptions& options, ExecPlan& plan) {
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : options.environment) {
      replaced |= text.substr(0, text.find('=')) == name;
    }
    if (!replaced) plan.environment.emplace_back(text);
  }
  for (const auto& [name, value] : options.environment) {
    plan.environment.push_back(name + "=" + value);
  }
}

ExecPlan MakePlan(const SubprocessOptions& options) {
  ExecPlan plan;
  AddEnvironment(options, plan);
  for (std::string& entry : plan.environment) plan.envp.push_back(entry.data());
  plan.envp.push_back(nullptr);
  for (const std::string& argument : options.argv) {
    plan.argv.push_back(const_cast<char*>(argument.c_str()));
  }
  plan.argv.push_back(nullptr);
  if (!options.directory.empty()) plan.directory = options.directory.c_str();
  plan.parent = getpid();
  return plan;
}

void ResetSignals() {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &action, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// The child's side: async-signal-safe calls only. Reports errno through plan.report.
[[noreturn]] void Exec(const ExecPlan& plan) {
  ResetSignals();
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);  // the parent died before prctl
  const bool ready = dup2(plan.in, 0) >= 0 && dup2(plan.out, 1) >= 0 && dup2(plan.err, 2) >= 0 &&
                     syscall(SYS_close_range, 3, ~0u, CLOSE_RANGE_CLOEXEC) == 0 &&
                     (!plan.directory || chdir(plan.directory) == 0);
  if (ready) execvpe(plan.argv[0], plan.argv.data(), plan.envp.data());
  const int reason = errno;
  [[maybe_unused]] const ssize_t n = write(plan.report, &reason, sizeof reason);
  _exit(127);
}

// errno of a failed exec, 0 if it succeeded: the pipe's other end closes on exec.
int ReadReport(int fd) {
  int reason = 0;
  ssize_t n = 0;
  do {
    n = read(fd, &reason, sizeof reason);
  } while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof reason) ? reason : 0;
}

Exit MakeExit(int status, const rusage& usage) {
  const auto nanos = [](const timeval& t) { return t.tv_sec * kSecond + t.tv_usec * kMicrosecond; };
  Exit exit;
  exit.signalled = WIFSIGNALED(status);
  exit.code = exit.signalled ? WTERMSIG(status) : WEXITSTATUS(status);
  exit.wait_status = status;
  exit.user = nanos(usage.ru_utime);
  exit.system = nanos(usage.ru_stime);
  exit.max_rss_kib = usage.ru_maxrss;
  return exit;
}

// What has arrived; nothing at the pipe's end, empty if there is nothing now.
std::optional<std::string_view> ReadSome(const Fd& fd, std::array<char, 16384>& buffer) {
  const ssize_t n = read(fd.get(), buffer.data(), buffer.size());
  if (n > 0) return std::string_view(buffer.data(), static_cast<std::size_t>(n));
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return std::string_view();
  return std::nullopt;
}

}  // namespace

void Fd::Close() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

std::string Exit::ToString() const {
  if (!signalled) return fmt::format("exit status {}", code);
  return fmt::format("signal {} ({})", code, strsignal(code));
}

Result<> ChildProcess::Fork() {
  CBENCH_ASSIGN(Pipe out, MakePipe());
  CBENCH_ASSIGN(Pipe err, MakePipe());
  CBENCH_ASSIGN(Pipe report, MakePipe());
  Pipe in;
  if (options_.hold_stdin) {
    CBENCH_ASSIGN(in, MakePipe());
  } else {
    in.read = Fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  if (!options_.log.empty()) {
    log_ = Fd(open(options_.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (!log_) return Failure("{}: {}", options_.log.string(), std::strerror(errno));
  }
  ExecPlan plan = MakePlan(options_);
  plan.in = in.read.get();
  plan.out = out.write.get();
  plan.err = err.write.get();
  plan.report = report.write.get();

  pid_ = fork();
  if (pid_ < 0) return Failure("{}: fork: {}", options_.argv[0], std::strerror(errno));
  if (pid_ == 0) Exec(plan);
  report.write.Close();
  if (const int reason = ReadReport(report.read.get())) {
    waitpid(pid_, nullptr, 0);
    return Failure("cannot start {}: {}", options_.argv[0], std::strerror(reason));
  }
  pidfd_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  if (!pidfd_) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    return Failure("{}: pidfd_open: {} (Linux 5.3 or later is needed)", options_.argv[0],
                   std::strerror(errno));
  }
  in_ = std::move(in.write);
  out_ = std::move(out.read);
  err_ = std::move(err.read);
  fcntl(out_.get(), F_SETFL, O_NONBLOCK);
  fcntl(err_.get(), F_SETFL, O_NONBLOCK);
  return {};
}

void ChildProcess::ReadOut() {
  std::array<char, 16384> buffer;
  const auto bytes = ReadSome(out_, buffer);
  if (!bytes) return out_.Close();
  Log(*bytes);
  SplitLines(*bytes);
}

void ChildProcess::ReadErr() {
  std::array<char, 16384> buffer;
  const auto bytes = ReadSome(err_, buffer);
  if (!bytes) return err_.Close();
  Log(*bytes);
}

void ChildProcess::Log(std::string_view bytes) {
  if (!log_) return;
  const std::size_t room = options_.log_limit - logged_;
  std::string_view taken = bytes.substr(0, room);
  logged_ += taken.size();
  while (!taken.empty()) {
    const ssize_t n = write(log_.get(), taken.data(), taken.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return log_.Close();  // disk full: the engine must not suffer for its log
    taken.remove_prefix(static_cast<std::size_t>(n));
  }
  if (bytes.size() <= room) return;
  constexpr std::string_view kNote = "\n[the rest was dropped: this log reached its limit]\n";
  [[maybe_unused]] const ssize_t n = write(log_.get(), kNote.data(), kNote.size());
  log_.Close();
}

void ChildProcess::SplitLines(std::string_view bytes) {
  if (!options_.on_line) return;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::size_t room = kMaxLine - line_.size();
    line_.append(bytes.substr(0, std::min(end, room)));
    if (end == std::string_view::npos) return;
    options_.on_line(line_);
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void ChildProcess::Reap() {
  // The leader is a zombie until wait4, so its group's number can't have been given away.
  kill(-pid_, SIGKILL);
  int status = 0;
  rusage usage{};
  {
    const std::lock_guard lock(mutex_);
    wait4(pid_, &status, 0, &usage);
    exit_ = MakeExit(status, usage);
  }
  for (int reads = 0; out_ && reads < 64; ++reads) ReadOut();
  for (int reads = 0; err_ && reads < 64; ++reads) ReadErr();
  out_.Close();  // a descendant that left the group may still hold the other end
  err_.Close();
  in_.Close();
  if (!line_.empty() && options_.on_line) options_.on_line(line_);
  if (options_.on_exit) options_.on_exit(*exit_);
  const std::lock_guard lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

std::optional<Exit> ChildProcess::exit() const {
  const std::lock_guard lock(mutex_);
  return exit_;
}

bool ChildProcess::WaitUntil(Nanos t) const {
  const std::chrono::steady_clock::time_point deadline{std::chrono::nanoseconds(t)};
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [this] { return finished_; });
}

void ChildProcess::Signal(int signal) {
  const std::lock_guard lock(mutex_);
  if (!exit_) kill(-pid_, signal);
}

}  // namespace cbench
