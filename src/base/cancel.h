// Cancellation that wakes sleepers. One Cancel object per run (and one derived per need) is
// passed down by reference; Ctrl-C, a failed engine or a finished run calls Trigger once.
// Thread-safe; waiting uses the monotonic clock, so every wait has a limit and no one polls.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>

#include "base/clock.h"

namespace cbench {

class Cancel {
 public:
  Cancel() = default;
  explicit Cancel(Cancel& parent);  // triggers when the parent does; parent must outlive it
  ~Cancel();
  Cancel(const Cancel&) = delete;
  Cancel& operator=(const Cancel&) = delete;

  void Trigger();
  bool IsTriggered() const;

  // Sleeps until t or the trigger, whichever is first; true if triggered.
  bool WaitUntil(Nanos t) const;

  // Calls `wake` once, from Trigger's thread (or at once if already triggered); used to break
  // other kinds of wait. `wake` must not call back into this object. Unsubscribe waits for a
  // running call and then guarantees there is none later.
  using Token = std::list<std::function<void()>>::iterator;
  Token Subscribe(std::function<void()> wake) const;
  void Unsubscribe(Token token) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool triggered_ = false;                              // guarded by mutex_
  mutable std::list<std::function<void()>> listeners_;  // guarded by mutex_
  Cancel* parent_ = nullptr;
  Token parent_token_;
};

}  // namespace cbench
