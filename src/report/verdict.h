// When numbers may not be believed (INVALID, with reasons) and when they need a second look
// (doubts, with advice). The rules are those of docs/metrics.md, "Doubts and verdict"; every rule
// is one function of verdict.cc or doubts.cc.
#pragma once

#include <string>
#include <vector>

#include "report/facts.h"
#include "report/task_summary.h"

namespace cbench::report {

// One run with everything the rules look at; tasks in workflow order, as in facts.tasks.
struct JudgedRun {
  const RunFacts& facts;
  std::vector<SummarizedTask> tasks;
};

Verdict JudgeRun(const JudgedRun& run);

// Not const: percentiles sort their samples.
std::vector<std::string> Doubts(JudgedRun& run);

// Spread of makespan and latency over repetitions of one strategy.
std::vector<std::string> SpreadDoubts(const std::vector<RunSummary>& runs);

}  // namespace cbench::report
