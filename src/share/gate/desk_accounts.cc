// Whose step it is, what it will cost, and what it did cost.
#include <algorithm>
#include <cstring>

#include "share/gate/desk.h"

namespace cbench::share {

int GateDesk::FindAccount(const StepInfo& info) {
  std::string_view name = info.app.empty() ? std::string_view("unknown") : info.app;
  name = name.substr(0, sizeof Account::name - 1);
  int index = 0;
  while (index < kMaxAccounts && gate_.accounts[At(index)].Name() != name) ++index;
  if (index == kMaxAccounts) {
    index = FreeAccount();
    for (Client& client : gate_.clients)
      if (client.account == index) client.account = -1;
    gate_.costs.Forget(index);
    gate_.accounts[At(index)] = {};
    SetName(gate_.accounts[At(index)], name);
  }
  Account& account = gate_.accounts[At(index)];
  account.app_class = info.app_class;
  if (info.weight > 0) account.weight = info.weight;
  return index;
}

void GateDesk::Introduce(int client, const StepInfo& info, bool keeper) {
  const int account = FindAccount(info);
  gate_.clients[At(client)].account = account;
  gate_.clients[At(client)].keeper = keeper;
}

// An empty place, else that of the app that is away for longest.
int GateDesk::FreeAccount() {
  int best = 0;
  for (int i = 0; i < kMaxAccounts; ++i) {
    if (gate_.accounts[At(i)].Name().empty()) return i;
    const bool older = gate_.accounts[At(i)].last_active < gate_.accounts[At(best)].last_active;
    if (!HasSteps(i) && (HasSteps(best) || older)) best = i;
  }
  return best;
}

bool GateDesk::HasSteps(int account) const {
  return std::any_of(gate_.slots.begin(), gate_.slots.end(), [account](const Slot& slot) {
    return slot.state != SlotState::kFree && slot.step.account == account;
  });
}

void GateDesk::Predict(StepView& step, Slot& slot) const {
  const Cost cost = gate_.costs.Predict(step.account, step.kind, step.size);
  step.cost = cost.mean;
  step.cost_q95 = cost.q95;
  slot.known = cost.known;
}

// Where steps share the device each is charged what it would have taken alone, and the cost model
// learns from undisturbed steps, unless it knows nothing yet.
void GateDesk::Charge(Slot& slot, Nanos now, bool reclaimed, bool switched) {
  const StepView& step = slot.step;
  const Nanos measured = std::max<Nanos>(now - slot.granted, 1);
  const bool stretched = slot.disturbed && slot.known;
  const Nanos charged = stretched ? std::min(measured, step.cost) : measured;
  NoteOverrun(slot, now);
  if (!stretched && !reclaimed) gate_.costs.Learn(step.account, step.kind, step.size, measured);
  policy_.Charge(gate_.accounts, step, charged, now);
  const Account& account = gate_.accounts[At(step.account)];
  Hold& hold = gate_.ring[gate_.holds % kRingSize];
  hold = {.app_class = account.app_class,
          .kind = step.kind,
          .why = step.why,
          .known = slot.known,
          .disturbed = slot.disturbed,
          .overrun = slot.overrun,
          .reclaimed = reclaimed,
          .switched = switched,
          .pid = gate_.clients[At(slot.client)].process.pid,
          .slot = static_cast<std::int32_t>(&slot - gate_.slots.data()),
          .size = step.size,
          .context = step.context,
          .request = step.request,
          .asked = step.asked,
          .granted = slot.granted,
          .released = now,
          .predicted = step.cost,
          .predicted_q95 = step.cost_q95,
          .charged = charged};
  std::memcpy(hold.app, account.name, sizeof hold.app);
  ++gate_.holds;
}

}  // namespace cbench::share
