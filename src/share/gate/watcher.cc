#include "share/gate/watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "share/gate/gate.h"

namespace cbench::share {
namespace {

constexpr int kRefreshMs = 100;

}  // namespace

GateWatcher::GateWatcher(Gate& gate)
    : gate_(gate), stop_(eventfd(0, EFD_CLOEXEC)), thread_([this] { Run(); }) {}

GateWatcher::~GateWatcher() {
  eventfd_write(stop_.get(), 1);
  thread_.join();
}

void GateWatcher::Run() {
  do {
    Refresh();
  } while (WaitForDeath());
}

void GateWatcher::Refresh() {
  const auto clients = gate_.Clients();
  const auto gone = [&](const auto& known) {
    return std::none_of(clients.begin(), clients.end(),
                        [&](const ProcessId& client) { return client.pid == known.first; });
  };
  std::erase_if(processes_, gone);
  for (const ProcessId& client : clients) {
    if (client.pid == 0 || client.pid == getpid() || processes_.count(client.pid) != 0) continue;
    processes_.emplace(client.pid, Fd(static_cast<int>(syscall(SYS_pidfd_open, client.pid, 0))));
  }
}

bool GateWatcher::WaitForDeath() {
  std::vector<pollfd> watched = {{stop_.get(), POLLIN, 0}};
  for (const auto& [pid, fd] : processes_) watched.push_back({fd.get(), POLLIN, 0});
  poll(watched.data(), watched.size(), kRefreshMs);
  if (watched[0].revents != 0) return false;
  gate_.Inspect();
  return true;
}

}  // namespace cbench::share
