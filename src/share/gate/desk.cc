#include "share/gate/desk.h"

#include <algorithm>

#include "share/gate/crash_point.h"

namespace cbench::share {
namespace {

constexpr Nanos kLeastSleep = 50 * kMicrosecond;  // shorter is not worth it

StepView MakeView(const StepInfo& info, int account, Nanos now) {
  return {.account = account,
          .kind = info.kind,
          .size = info.size,
          .context = info.context,
          .asked = now,
          .deadline = info.deadline,
          .next_request = info.next_request,
          .request = info.request};
}

}  // namespace

int GateDesk::Claim(const StepInfo& info, int client, Nanos now) {
  const int index = std::countr_one(gate_.busy);
  if (index >= kMaxSteps) {
    ++gate_.turned_away;
    return -1;
  }
  Slot& slot = gate_.slots[At(index)];
  slot.client = client;
  slot.disturbed = slot.overrun = false;
  slot.granted = slot.alarm = 0;
  slot.thread = 0;
  slot.aside = 0;
  SetWord(slot, slot.word & ~kGranted);
  slot.step = MakeView(info, FindAccount(info), now);
  Predict(slot.step, slot);
  policy_.Arrive(gate_.accounts, slot.step);
  CrashPoint("claim");
  SetState(slot, SlotState::kWaiting);
  gate_.busy |= Bit(index);
  return index;
}

// Grants one after the other until the policy names nobody.
SlotSet GateDesk::Dispatch(Nanos now, int self) {
  gate_.look_again = 0;
  std::size_t waits = 0, runs = 0;
  ForEach(gate_, SlotState::kRunning, [&](int, Slot& slot) { running_[runs++] = slot.step; });
  ForEach(gate_, SlotState::kWaiting, [&](int i, Slot& slot) {
    slot_of_[waits] = i;
    waiting_[waits++] = slot.step;
  });
  SlotSet wake = 0;
  while (waits > 0) {
    const Choice choice = policy_.Choose({.now = now,
                                          .accounts = gate_.accounts,
                                          .waiting = {waiting_.data(), waits},
                                          .running = {running_.data(), runs},
                                          .lanes = gate_.lanes});
    if (choice.waiting < 0) {
      gate_.look_again = choice.look_again;
      return wake | TellLookAgain(self);
    }
    const std::size_t chosen = At(choice.waiting);
    Grant(slot_of_[chosen], choice.why, now);
    wake |= Bit(slot_of_[chosen]);
    running_[runs++] = gate_.slots[At(slot_of_[chosen])].step;
    waiting_[chosen] = waiting_[--waits];
    slot_of_[chosen] = slot_of_[waits];
  }
  return wake;
}

void GateDesk::Grant(int index, Reason why, Nanos now) {
  Slot& slot = gate_.slots[At(index)];
  slot.step.why = why;
  slot.granted = now;
  MarkDisturbed(slot);
  SetState(slot, SlotState::kRunning);
  CrashPoint("grant");
  SetWord(slot, slot.word | kGranted);
}

void GateDesk::MarkDisturbed(Slot& granted) {
  ForEach(gate_, SlotState::kRunning, [&](int, Slot& other) {
    other.disturbed |= Disturbs(granted, other);
    granted.disturbed |= Disturbs(other, granted);
  });
}

// A device that preempts keeps a back step from slowing a front step.
bool GateDesk::Disturbs(const Slot& by, const Slot& whom) const {
  return !(gate_.lanes.preempts && LaneOf(ClassOf(by)) == Lane::kBack &&
           LaneOf(ClassOf(whom)) == Lane::kFront);
}

AppClass GateDesk::ClassOf(const Slot& slot) const {
  return gate_.accounts[At(slot.step.account)].app_class;
}

// One waiter must be awake at look_again. Mostly one wakes by then anyhow.
SlotSet GateDesk::TellLookAgain(int self) {
  if (gate_.look_again == 0) return 0;
  if (AnyWakesBy(gate_.look_again, -1)) return 0;
  int first = self;
  ForEach(gate_, SlotState::kWaiting, [&](int i, const Slot&) {
    if (first < 0) first = i;
  });
  if (first < 0) return 0;
  Nudge(first);
  return Bit(first);
}

// Whether a waiting step other than `but` (-1: none) wakes by itself until t.
bool GateDesk::AnyWakesBy(Nanos t, int but) const {
  bool any = false;
  ForEach(gate_, SlotState::kWaiting,
          [&](int i, const Slot& slot) { any |= i != but && slot.alarm != 0 && slot.alarm <= t; });
  return any;
}

void GateDesk::Nudge(int index) {
  Slot& slot = gate_.slots[At(index)];
  SetWord(slot, slot.word + kNudge);
}

Nanos GateDesk::SetAlarm(int index, Nanos now) {
  Slot& self = gate_.slots[At(index)];
  self.alarm = now + kCheckPeriod;
  if (gate_.look_again == 0 || gate_.look_again > self.alarm) return self.alarm;
  if (!AnyWakesBy(gate_.look_again, index))
    self.alarm = std::max(gate_.look_again, now + kLeastSleep);
  return self.alarm;
}

void GateDesk::Release(int index, Nanos now, bool switched) {
  Charge(gate_.slots[At(index)], now, false, switched);
  CrashPoint("release");
  Free(index);
}

void GateDesk::Abandon(int index) { Free(index); }

void GateDesk::Free(int index) {
  SetState(gate_.slots[At(index)], SlotState::kFree);
  gate_.busy &= ~Bit(index);
}

}  // namespace cbench::share
