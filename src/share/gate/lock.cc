#include "share/gate/lock.h"

#include <cerrno>

#include "share/gate/crash_point.h"
#include "share/gate/futex.h"

namespace cbench::share {

GateLock::GateLock(GateLayout& gate, GateDesk& desk) : gate_(gate) {
  const int error = pthread_mutex_lock(&gate.mutex);
  locked_ = error == 0 || error == EOWNERDEAD;
  if (!locked_) desk.Open();  // cannot happen to a robust mutex that is always made consistent
  if (error != EOWNERDEAD) return;
  WakeSlots(gate, desk.Repair(Now()));
  pthread_mutex_consistent(&gate.mutex);
}

GateLock::~GateLock() {
  if (locked_) pthread_mutex_unlock(&gate_.mutex);
}

void WakeSlots(GateLayout& gate, SlotSet slots) {
  CrashPoint("wake");
  for (; slots != 0; slots &= slots - 1) FutexWake(gate.slots[At(std::countr_zero(slots))].word);
}

}  // namespace cbench::share
