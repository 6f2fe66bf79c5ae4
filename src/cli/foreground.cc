#include "cli/foreground.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "cli/command.h"

namespace cbench::cli {
namespace {

// Whoever starts us with one of them ignored (nohup) wants it ignored.
sigset_t PassedOn() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
    struct sigaction inherited{};
    sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  return set;
}

std::vector<std::string> Environment(const ForegroundCommand& command) {
  std::vector<std::string> all;
  for (const auto& [name, value] : command.environment) all.push_back(name + "=" + value);
  const std::size_t ours = all.size();
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const auto is_name = [&](const std::string& own) {
      return text.starts_with(std::string_view(own).substr(0, own.find('=') + 1));
    };
    if (std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(ours), is_name))
      all.emplace_back(text);
  }
  return all;
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// 0, or the system's error. The command begins with `mask`, and without what Main ignores.
int Spawn(const ForegroundCommand& command, const sigset_t& mask, pid_t& pid) {
  std::vector<std::string> argv = command.argv, environment = Environment(command);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGPIPE, SIGXFSZ}) sigaddset(&defaults, signal);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  const int error = posix_spawnp(&pid, argv[0].c_str(), nullptr, &attributes, Pointers(argv).data(),
                                 Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  return error;
}

// Its wait status.
int WaitFor(pid_t pid, const sigset_t& signals) {
  for (;;) {
    siginfo_t info{};
    const int signal = sigwaitinfo(&signals, &info);
    int status = 0;
    if (signal == SIGCHLD && waitpid(pid, &status, WNOHANG) == pid) return status;
    // The kernel itself (si_code > 0) speaks for the terminal, which tells the command, too.
    if (signal > 0 && signal != SIGCHLD && info.si_code <= 0) kill(pid, signal);
  }
}

}  // namespace

int RunInForeground(const ForegroundCommand& command) {
  sigset_t signals = PassedOn(), before;
  sigaddset(&signals, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  pid_t pid = 0;
  if (const int error = Spawn(command, before, pid); error != 0) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    PrintError(
        Error{ErrorKind::kInput, fmt::format("{}: {}", command.argv[0], std::strerror(error))});
    return error == ENOENT ? kNotFound : kNotExecutable;
  }
  const int status = WaitFor(pid, signals);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace cbench::cli
