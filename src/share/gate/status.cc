#include "share/gate/status.h"

#include "share/gate/slots.h"

namespace cbench::share {
namespace {

GateStatus::Step MakeStep(const GateLayout& gate, const Slot& slot) {
  return {.app = std::string(gate.accounts[At(slot.step.account)].Name()),
          .pid = gate.clients[At(slot.client)].process.pid,
          .running = slot.state == SlotState::kRunning,
          .overrun = slot.overrun,
          .granted = slot.granted,
          .view = slot.step};
}

}  // namespace

GateStatus MakeStatus(GateLayout& gate, Nanos now) {
  GateStatus status;
  status.now = now;
  status.policy = gate.policy;
  status.lanes = gate.lanes;
  status.open = gate.open != 0;
  status.holds = gate.holds;
  status.deaths = gate.deaths;
  status.overruns = gate.overruns;
  status.turned_away = gate.turned_away;
  for (const Client& client : gate.clients)
    if (client.process.pid != 0)
      status.processes.push_back({client.process.pid, client.account, client.keeper});
  const auto add = [&](int, const Slot& slot) { status.steps.push_back(MakeStep(gate, slot)); };
  ForEach(gate, SlotState::kRunning, add);
  ForEach(gate, SlotState::kWaiting, add);
  for (int i = 0; i < kMaxAccounts; ++i) {
    if (gate.accounts[At(i)].Name().empty()) continue;
    status.apps.push_back({i, gate.accounts[At(i)], gate.costs.Error(i)});
  }
  return status;
}

}  // namespace cbench::share
