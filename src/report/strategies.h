// Several runs -> one summary a strategy: requests and steps pooled, other quantities as medians
// over its repetitions.
#pragma once

#include <vector>

#include "report/exclusive.h"
#include "report/judged.h"
#include "report/plan.h"
#include "report/summary.h"

namespace cbench::report {

// `runs` are the summaries of `judged`, which holds no exclusive run.
std::vector<StrategySummary> SummarizeStrategies(const std::vector<JudgedRun>& judged,
                                                 const std::vector<RunSummary>& runs,
                                                 const Plan& plan, const Baseline& baseline);

// Each app of one run, its tasks together, against itself alone; by app.
std::map<std::string, Slowdown> AppSlowdowns(const JudgedRun& run, const Baseline& baseline);

// Median and range of those values that are known.
Repeated OverRepetitions(const std::vector<double>& values);

}  // namespace cbench::report
