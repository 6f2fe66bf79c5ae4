#include "embedded/stop_signal.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace cbench::embedded {
namespace {

// The kernel sends it when the *thread* that started us ends, which need not be the parent's end.
constexpr int kParentSignal = SIGUSR1;

bool StdinClosed() {
  std::array<char, 256> ignored;
  return read(STDIN_FILENO, ignored.data(), ignored.size()) <= 0;
}

}  // namespace

StopSignal::StopSignal(bool with_parent)
    : with_parent_(with_parent), parent_(getppid()), wake_(eventfd(0, EFD_CLOEXEC)) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, kParentSignal}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  if (with_parent_) prctl(PR_SET_PDEATHSIG, kParentSignal);
}

StopSignal::~StopSignal() {
  close(signals_);
  close(wake_);
}

void StopSignal::Trigger() const { eventfd_write(wake_, 1); }

bool StopSignal::SignalMeansStop() const {
  signalfd_siginfo info{};
  if (read(signals_, &info, sizeof info) != sizeof info) return false;
  return info.ssi_signo != kParentSignal || getppid() != parent_;
}

void StopSignal::Wait() const {
  while (true) {
    std::array<pollfd, 3> sources{
        {{wake_, POLLIN, 0}, {signals_, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}}};
    if (poll(sources.data(), with_parent_ ? 3 : 2, -1) <= 0) continue;
    if (sources[0].revents != 0) return;
    if (sources[1].revents != 0 && SignalMeansStop()) return;
    if (sources[2].revents != 0 && StdinClosed()) return;
  }
}

}  // namespace cbench::embedded
