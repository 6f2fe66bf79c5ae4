// Holds the gate's mutex. If its last holder died inside, what it left is put in order first.
#pragma once

#include "share/gate/desk.h"

namespace cbench::share {

class GateLock {
 public:
  GateLock(GateLayout& gate, GateDesk& desk);
  ~GateLock();
  GateLock(const GateLock&) = delete;
  GateLock& operator=(const GateLock&) = delete;

 private:
  GateLayout& gate_;
  bool locked_;
};

// Wakes the threads behind the slots; best called without the lock.
void WakeSlots(GateLayout& gate, SlotSet slots);

}  // namespace cbench::share
