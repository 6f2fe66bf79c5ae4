// Which threads of this process compute graphs? A pool's are nowhere named, but a program of the
// back lane is of the back lane as a whole: all its threads may go where its graphs go.
#pragma once

#include <mutex>
#include <set>

#include "share/step_hook.h"

namespace cbench::shim {

class NewThreads {
 public:
  // Tells the hook of the threads that have come since the last time, but of the calling one. Looks
  // only when their number has changed: those that a computing thread starts share its lane anyhow.
  void TellHook(share::StepHook& hook);

 private:
  std::mutex mutex_;
  std::set<pid_t> known_;
  unsigned long count_ = 0;
};

}  // namespace cbench::shim
