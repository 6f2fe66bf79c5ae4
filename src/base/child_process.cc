#include "base/child_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "base/warden.h"

namespace cbench {
namespace {

constexpr std::size_t kMaxLine = 64u << 10;

struct Pipe {
  Fd read, write;
};

// Both ends of a line to a warden.
Result<std::pair<Fd, Fd>> MakeLine() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return Failure("socketpair: {}", std::strerror(errno));
  }
  return std::pair{Fd(ends[0]), Fd(ends[1])};
}

Result<Pipe> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Failure("pipe: {}", std::strerror(errno));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

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
    plan.environment.push_back(fmt::format("{}={}", name, value));
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
  return plan;
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
  CBENCH_ASSIGN(auto line, MakeLine());
  ExecPlan plan = MakePlan(options_);
  plan.in = in.read.get();
  plan.out = out.write.get();
  plan.err = err.write.get();
  plan.report = report.write.get();
  plan.line = line.second.get();

  warden_ = fork();
  if (warden_ < 0) return Failure("{}: fork: {}", options_.argv[0], std::strerror(errno));
  if (warden_ == 0) RunWarden(plan);
  report.write.Close();
  line.second.Close();
  line_ = std::move(line.first);
  in_ = std::move(in.write);
  out_ = std::move(out.read);
  err_ = std::move(err.read);
  fcntl(out_.get(), F_SETFL, O_NONBLOCK);
  fcntl(err_.get(), F_SETFL, O_NONBLOCK);
  return Begin(report.read);
}

Result<> ChildProcess::Begin(const Fd& report) {
  int reason = ReadReport(report.get());
  if (reason == 0 && recv(line_.get(), &pid_, sizeof pid_, 0) != sizeof pid_) reason = ESRCH;
  if (reason == 0) pidfd_ = Fd(static_cast<int>(syscall(SYS_pidfd_open, warden_, 0)));
  if (reason == 0 && pidfd_) return {};
  const int no_pidfd = errno;
  line_.Close();  // the warden ends what there is
  waitpid(warden_, nullptr, 0);
  if (reason != 0) return Failure("cannot start {}: {}", options_.argv[0], std::strerror(reason));
  return Failure("{}: pidfd_open: {} (Linux 5.3 or later is needed)", options_.argv[0],
                 std::strerror(no_pidfd));
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
    const std::size_t room = kMaxLine - text_.size();
    text_.append(bytes.substr(0, std::min(end, room)));
    if (end == std::string_view::npos) return;
    options_.on_line(text_);
    text_.clear();
    bytes.remove_prefix(end + 1);
  }
}

void ChildProcess::Reap() {
  // Without a report the warden was killed: its own end is then all that is known.
  WardenReport report;
  const bool told = recv(line_.get(), &report, sizeof report, MSG_DONTWAIT) == sizeof report;
  int warden_status = 0;
  waitpid(warden_, &warden_status, 0);
  if (!told) kill(-pid_, SIGKILL);
  {
    const std::lock_guard lock(mutex_);
    exit_ = MakeExit(told ? report.wait_status : warden_status, report.usage);
    line_.Close();
  }
  for (int reads = 0; out_ && reads < 64; ++reads) ReadOut();
  for (int reads = 0; err_ && reads < 64; ++reads) ReadErr();
  out_.Close();  // a descendant that could not be killed may still hold the other end
  err_.Close();
  in_.Close();
  if (!text_.empty() && options_.on_line) options_.on_line(text_);
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
  const char byte = static_cast<char>(signal);
  if (!line_) return;
  send(line_.get(), &byte, 1, MSG_NOSIGNAL);
  kill(warden_, SIGCONT);  // not reaped yet, so it is still ours; somebody may have stopped it
}

}  // namespace cbench
