// The exclusive baseline: each app alone on the device, and what sharing cost against it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/judged.h"
#include "report/plan.h"
#include "report/summary.h"

namespace cbench::report {

// By app, in workflow order. Its verdict is INVALID if one of its runs is. Takes runs with
// facts.alone only; not const: doubts sort samples.
std::vector<ExclusiveSummary> SummarizeExclusive(std::vector<JudgedRun>& runs, const Plan& plan);

using Baseline = std::map<std::string, const ExclusiveSummary*>;  // by app
Baseline MakeBaseline(const std::vector<ExclusiveSummary>& exclusive);

// Shared percentile / exclusive percentile, for each of the app's key latencies that `metrics` or
// the baseline has. p99 needs enough samples on both sides.
Slowdown CompareToAlone(const std::string& app, const std::string& app_type,
                        const std::map<std::string, Distribution>& metrics,
                        const Baseline& baseline);

}  // namespace cbench::report
