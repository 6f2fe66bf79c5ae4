// Fairness of progress. An app counts as backlogged from a task's start to its end (pauses between
// its requests are not taken out), so all apps were while a task of each of them ran. Compared is
// what happened in that time alone: a request counts if at least half of its time lies in it.
#pragma once

#include <optional>
#include <string>

#include "report/exclusive.h"
#include "report/judged.h"
#include "report/plan.h"

namespace cbench::report {

struct Progress {
  std::optional<double> jain;
  std::string reason;  // why it is null
};

// Jain's index of x = exclusive p50 / shared p50 / weight, of each app's primary latency, over the
// apps of the run that use the device.
Progress FairnessOfProgress(const JudgedRun& run, const Plan& plan, const Baseline& baseline);

}  // namespace cbench::report
