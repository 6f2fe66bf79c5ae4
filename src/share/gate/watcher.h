// A thread of the process that made a gate: sees the death of the processes that use it (by pidfd,
// within a millisecond) and has the gate take back what they held. The set of processes is read
// anew after each death, and every 100 ms, for those that have come since; a waiting step does the
// same at its own alarm, so the watcher makes it quick, not correct.
#pragma once

#include <map>
#include <thread>

#include "base/fd.h"
#include "share/gate/process_id.h"

namespace cbench::share {

class Gate;

class GateWatcher {
 public:
  explicit GateWatcher(Gate& gate);
  ~GateWatcher();
  GateWatcher(const GateWatcher&) = delete;
  GateWatcher& operator=(const GateWatcher&) = delete;

 private:
  void Run();
  bool WaitForDeath();  // or the time; false: stop
  void Refresh();

  Gate& gate_;
  Fd stop_;                               // eventfd
  std::map<std::int32_t, Fd> processes_;  // pidfd by pid; the thread's own
  std::thread thread_;
};

}  // namespace cbench::share
