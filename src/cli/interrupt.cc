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
sigset_t StopSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {  // SIGHUP: the terminal was closed
    struct sigaction inherited {};
    sigaction(signal, nullptr, &inherited);
    if (inherited.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

Interrupt::Interrupt(Cancel& cancel) : cancel_(cancel) {
  const sigset_t set = StopSignals();
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
  bool asked = false;
  for (;;) {
    pollfd fds[] = {{signals_, POLLIN, 0}, {quit_, POLLIN, 0}};
    if (poll(fds, 2, -1) < 0) continue;
    if (fds[1].revents) return;
    signalfd_siginfo info{};
    if (read(signals_, &info, sizeof info) != sizeof info) continue;
    if (asked) _exit(128 + static_cast<int>(info.ssi_signo));
    asked = true;
    std::fputs("\ncbench: stopping; the record is kept (once more to quit at once)\n", stderr);
    cancel_.Trigger();
  }
}

}  // namespace cbench::cli
