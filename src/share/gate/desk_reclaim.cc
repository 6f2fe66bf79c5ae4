// Processes that come and go, and what those leave that are killed.
#include <algorithm>

#include "share/gate/desk.h"

namespace cbench::share {
namespace {

constexpr Nanos kLeastOverrun = 2 * kSecond;
constexpr int kOverrunFactor = 4;  // times the cost that 95 of 100 stay under

}  // namespace

int GateDesk::AddClient(const ProcessId& process) {
  const auto free = std::find(gate_.clients.begin(), gate_.clients.end(), Client{});
  if (free == gate_.clients.end()) return -1;
  const auto index = free - gate_.clients.begin();
  gate_.workers[static_cast<std::size_t>(index)].count = 0;
  *free = {.process = process};
  ++gate_.client_changes;
  return static_cast<int>(index);
}

bool GateDesk::HasClients() const {
  return std::any_of(gate_.clients.begin(), gate_.clients.end(),
                     [](const Client& client) { return client.process.pid != 0; });
}

void GateDesk::RemoveClient(int client, Nanos now) {
  for (SlotSet left = gate_.busy; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    Slot& slot = gate_.slots[At(i)];
    if (slot.client != client) continue;
    if (slot.state == SlotState::kRunning) Charge(slot, now, true, false);
    Free(i);
  }
  gate_.clients[At(client)] = {};
  ++gate_.client_changes;
}

SlotSet GateDesk::InspectIfDue(Nanos now) {
  return now - gate_.inspected >= kCheckPeriod ? Inspect(now) : 0;
}

SlotSet GateDesk::Inspect(Nanos now) {
  gate_.inspected = now;
  ForEach(gate_, SlotState::kRunning, [&](int, Slot& slot) { NoteOverrun(slot, now); });
  RemoveDead(now);
  return gate_.owner.pid != 0 && !IsAlive(gate_.owner) ? Open() : 0;
}

void GateDesk::RemoveDead(Nanos now) {
  for (int i = 0; i < kMaxClients; ++i) {
    const ProcessId& process = gate_.clients[At(i)].process;
    if (process.pid == 0 || IsAlive(process)) continue;
    ++gate_.deaths;
    RemoveClient(i, now);
  }
}

void GateDesk::NoteOverrun(Slot& slot, Nanos now) {
  const Nanos limit = std::max(kOverrunFactor * slot.step.cost_q95, kLeastOverrun);
  if (slot.overrun || now - slot.granted <= limit) return;
  slot.overrun = true;
  ++gate_.overruns;
}

SlotSet GateDesk::Open() {
  std::atomic_ref(gate_.open).store(1, std::memory_order_release);
  SlotSet wake = 0;
  ForEach(gate_, SlotState::kWaiting, [&](int i, Slot&) {
    Nudge(i);
    wake |= Bit(i);
  });
  return wake;
}

SlotSet GateDesk::Repair(Nanos now) {
  gate_.busy = 0;
  for (int i = 0; i < kMaxSteps; ++i)
    if (gate_.slots[At(i)].state != SlotState::kFree) gate_.busy |= Bit(i);
  RemoveDead(now);
  ForEach(gate_, SlotState::kRunning, [](int, Slot& slot) { SetWord(slot, slot.word | kGranted); });
  Dispatch(now);
  ForEach(gate_, SlotState::kWaiting, [this](int i, Slot&) { Nudge(i); });
  return gate_.busy;
}

}  // namespace cbench::share
