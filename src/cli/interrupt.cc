#include "cli/interrupt.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>

namespace cbench::cli {
namespace {

// Whoever starts us with one of them ignored (nohup; a shell's background job) wants it ignored.
sigset_t WatchedSignals() {
  sigset_t set;
  sigemptyset(&set);
  // SIGHUP: the terminal was closed; SIGTSTP: Ctrl-Z; SIGCONT: we were stopped and go on.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT}) {
    struct sigaction inherited{};
    sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

Interrupt::Interrupt(Cancel& cancel) : cancel_(cancel) {
  const sigset_t set = WatchedSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  quit_ = eventfd(0, EFD_CLOEXEC);
  thread_ = std::thread([this] { Watch(); });
}

Interrupt::~Interrupt() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(quit_, &one, sizeof one);
  thread_.join();
  close(signals_);
  close(quit_);
}

void Interrupt::Watch() {
  for (;;) {
    pollfd fds[] = {{signals_, POLLIN, 0}, {quit_, POLLIN, 0}};
    if (poll(fds, 2, -1) < 0) continue;
    if (fds[1].revents) return;
    signalfd_siginfo info{};
    if (read(signals_, &info, sizeof info) == sizeof info) Act(static_cast<int>(info.ssi_signo));
  }
}

void Interrupt::Act(int signal) {
  if (signal == SIGCONT) {
    ++stops_;
  } else if (signal == SIGTSTP) {
    std::fputs("\ncbench: stopped, while engines go on: this run will not be VALID\n", stderr);
    raise(SIGSTOP);
  } else if (asked_) {
    std::fputs("\ncbench: quitting at once\n", stderr);
    _exit(128 + signal);
  } else {
    asked_ = true;
    std::fputs("\ncbench: stopping; the record is kept (once more to quit at once)\n", stderr);
    cancel_.Trigger();
  }
}

}  // namespace cbench::cli
