// The gate's decisions, on memory that the caller has locked: takes slots, asks the policy, charges
// accounts, clears away what the dead left. It wakes nobody: it returns whom to wake, so that the
// caller can do so after unlocking. No clock of its own, no system calls but in Repair and Inspect.
#pragma once

#include <functional>

#include "share/gate/slots.h"

namespace cbench::share {

class GateDesk {
 public:
  GateDesk(GateLayout& gate, const Policy& policy) : gate_(gate), policy_(policy) {}

  // A waiting slot for the step, or -1 if none is free.
  int Claim(const StepInfo& info, int client, Nanos now);

  // Grants whatever the policy grants now. Returns the slots to wake. A step that is about to
  // sleep anyway (`self`, -1: none) is the first to be told of a time to look again.
  SlotSet Dispatch(Nanos now, int self = -1);

  // When the thread behind a waiting slot has to wake by itself; it sleeps until then.
  Nanos SetAlarm(int slot, Nanos now);

  void Release(int slot, Nanos now, bool switched);  // the step has ended
  void Abandon(int slot);                            // the step won't wait any longer

  // Kernel lanes. Whether a back step that was just granted has to start in the kernel's back lane:
  // a front step is there, or expected before it ends. Else it starts like any other thread, so
  // that it need not yield to programs outside the gate.
  bool StartAside(int slot, Nanos now);
  // A front step was granted: visit(pid, thread) for each thread that computes a back step and is
  // not in the back lane yet.
  void PushAside(const std::function<void(pid_t pid, pid_t thread)>& visit);

  int AddClient(const ProcessId& process);  // its index, or -1 if there is no room
  bool HasClients() const;
  void Introduce(int client, const StepInfo& info, bool keeper);  // see Gate::Introduce
  void RemoveClient(int client, Nanos now);

  // Looks for the dead and the overdue. Returns whom to wake; Dispatch afterwards.
  SlotSet Inspect(Nanos now);
  SlotSet InspectIfDue(Nanos now);  // once in kCheckPeriod, whoever asks
  SlotSet Open();                   // from now on everything runs free

  // After a process died inside the lock: makes everything consistent again. Wake all it returns.
  SlotSet Repair(Nanos now);

 private:
  int FindAccount(const StepInfo& info);
  int FreeAccount();
  bool HasSteps(int account) const;
  void Predict(StepView& step, Slot& slot) const;
  void Grant(int slot, Reason why, Nanos now);
  void MarkDisturbed(Slot& granted);
  bool Disturbs(const Slot& by, const Slot& whom) const;
  SlotSet TellLookAgain(int self);
  bool FrontIsAbout(const StepView& step, Nanos now) const;
  AppClass ClassOf(const Slot& slot) const;
  bool AnyWakesBy(Nanos t, int but) const;
  void Nudge(int slot);
  void Charge(Slot& slot, Nanos now, bool reclaimed, bool switched);
  void Free(int slot);
  void NoteOverrun(Slot& slot, Nanos now);
  void RemoveDead(Nanos now);

  GateLayout& gate_;
  const Policy& policy_;
  // What the policy is shown; here, not on the stack, so that nobody has to clear it each time.
  std::array<StepView, kMaxSteps> waiting_, running_;
  std::array<int, kMaxSteps> slot_of_{};
};

}  // namespace cbench::share
