// What can tell a server to stop: SIGTERM, SIGINT, its parent's end, or the program itself.
// The constructor blocks the signals, so make it before any other thread starts.
#pragma once

#include <sys/types.h>

namespace cbench::embedded {

class StopSignal {
 public:
  // with_parent: also when stdin closes (the parent holds the other end) or the parent dies.
  explicit StopSignal(bool with_parent);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void Wait() const;
  void Trigger() const;  // any thread

 private:
  bool SignalMeansStop() const;

  bool with_parent_;
  pid_t parent_;
  int signals_, wake_;
};

}  // namespace cbench::embedded
