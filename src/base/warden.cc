// Async-signal-safe calls only: this runs in the child of a process with threads.
#include "base/warden.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace cbench {
namespace {

// A record of getdents64(2): 8 bytes inode, 8 offset, 2 its own length, 1 type, then the name.
constexpr long kLengthAt = 16, kNameAt = 19;

void Block(int how, bool all) {
  sigset_t set;
  all ? sigfillset(&set) : sigemptyset(&set);
  sigprocmask(how, &set, nullptr);
}

void ResetSignals() {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &action, nullptr);
  Block(SIG_SETMASK, false);
}

[[noreturn]] void Exec(const ExecPlan& plan, pid_t warden) {
  ResetSignals();
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != warden) _exit(127);  // it died before prctl
  const bool ready = dup2(plan.in, 0) >= 0 && dup2(plan.out, 1) >= 0 && dup2(plan.err, 2) >= 0 &&
                     syscall(SYS_close_range, 3, ~0u, CLOSE_RANGE_CLOEXEC) == 0 &&
                     (!plan.directory || chdir(plan.directory) == 0);
  if (ready) execvpe(plan.argv[0], plan.argv.data(), plan.envp.data());
  const int reason = errno;
  [[maybe_unused]] const ssize_t n = write(plan.report, &reason, sizeof reason);
  _exit(127);
}

// Nothing for what is no number.
pid_t ParseNumber(const char* text) {
  pid_t number = 0;
  for (; *text >= '0' && *text <= '9'; ++text) number = number * 10 + (*text - '0');
  return *text == '\0' || *text == ' ' ? number : 0;
}

// From /proc/PID/stat: "PID (name) state parent …", where the name may hold anything.
pid_t ParentOf(int proc, const char* process) {
  const int folder = openat(proc, process, O_PATH | O_DIRECTORY | O_CLOEXEC);
  const int file = folder < 0 ? -1 : openat(folder, "stat", O_RDONLY | O_CLOEXEC);
  std::array<char, 512> text{};
  const ssize_t n = file < 0 ? -1 : read(file, text.data(), text.size() - 1);
  close(file);
  close(folder);
  if (n <= 0) return 0;
  const std::string_view stat(text.data(), static_cast<std::size_t>(n));
  const std::size_t name_end = stat.rfind(") ");
  return name_end == stat.npos || name_end + 4 >= stat.size() ? 0
                                                              : ParseNumber(&text[name_end + 4]);
}

// How many of our children took the signal. Reads all of /proc: not every kernel lists children.
int KillChildren() {
  const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return 0;
  const pid_t self = getpid();
  int killed = 0;
  alignas(8) std::array<char, 16384> buffer;
  for (long n = 0; (n = syscall(SYS_getdents64, proc, buffer.data(), buffer.size())) > 0;) {
    std::uint16_t length = 0;
    for (const char* at = buffer.data(); at < buffer.data() + n; at += length) {
      std::memcpy(&length, at + kLengthAt, sizeof length);
      const char* name = at + kNameAt;
      const bool child = ParseNumber(name) > 0 && ParentOf(proc, name) == self;
      if (child && kill(ParseNumber(name), SIGKILL) == 0) ++killed;
    }
  }
  close(proc);
  return killed;
}

// One child that took SIGKILL is waited for at a time: when it can be reaped, its own children have
// become ours. Without one that can be killed nothing is waited for.
void EndDescendants() {
  for (;;) {
    const pid_t reaped = waitpid(-1, nullptr, WNOHANG);
    if (reaped > 0) continue;
    if (reaped < 0 || KillChildren() == 0) return;
    waitpid(-1, nullptr, 0);
  }
}

// Until the command ends or the line is closed.
void PassSignals(int line, int command, pid_t process) {
  for (;;) {
    std::array<pollfd, 2> fds{{{command, POLLIN, 0}, {line, POLLIN, 0}}};
    if (poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return;
    if (fds[0].revents) return;
    if (!fds[1].revents) continue;
    char signal = 0;
    if (recv(line, &signal, 1, 0) != 1) return;
    kill(-process, signal);
  }
}

}  // namespace

void RunWarden(const ExecPlan& plan) {
  constexpr int kLine = 0;
  Block(SIG_BLOCK, true);
  setpgid(0, 0);  // away from the terminal's Ctrl-C
  prctl(PR_SET_NAME, "cbench-warden");
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t self = getpid();
  const pid_t process = fork();
  if (process == 0) Exec(plan, self);
  if (process < 0) {
    const int reason = errno;
    [[maybe_unused]] const ssize_t n = write(plan.report, &reason, sizeof reason);
    _exit(127);
  }
  dup2(plan.line, kLine);
  syscall(SYS_close_range, kLine + 1, ~0u, 0);
  send(kLine, &process, sizeof process, MSG_NOSIGNAL);
  const int command = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (command >= 0) PassSignals(kLine, command, process);
  kill(-process, SIGKILL);
  kill(process, SIGKILL);  // it may have gone to another group
  WardenReport report;
  wait4(process, &report.wait_status, 0, &report.usage);
  send(kLine, &report, sizeof report, MSG_NOSIGNAL);
  EndDescendants();
  _exit(0);
}

}  // namespace cbench
