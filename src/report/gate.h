// What the gate's steps of one strategy say: how long steps waited for the device, how long they
// had it, and how well that was predicted. A step that was not asked for (asked = 0) has no wait.
#pragma once

#include <map>
#include <string>

#include "record/event.h"
#include "report/statistics.h"
#include "report/summary.h"

namespace cbench::report {

class GateStatistics {
 public:
  void Add(const record::Step& step);  // left out if it has no begin or an end before it
  bool empty() const { return hold_.count() == 0; }
  GateUse Describe();  // sorts

 private:
  Samples wait_, hold_, error_;
  double held_s_ = 0;
  std::int64_t above_ = 0;
};

}  // namespace cbench::report
