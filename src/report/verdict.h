// When numbers may not be believed (INVALID, with reasons) and when they need a second look
// (doubts, with advice). The rules are those of docs/metrics.md, "Doubts and verdict"; every rule
// is one function of verdict.cc or doubts.cc.
#pragma once

#include <string>
#include <vector>

#include "report/judged.h"
#include "report/summary.h"

namespace cbench::report {

Verdict JudgeRun(const JudgedRun& run);

// Not const: percentiles sort their samples.
std::vector<std::string> Doubts(JudgedRun& run);

// Strategies were compared, but no app ran alone; or an app did, but slower than beside others.
std::vector<std::string> BaselineDoubts(const Summary& summary);

// Spread of makespan and latency over repetitions of one strategy.
std::vector<std::string> SpreadDoubts(const std::vector<RunSummary>& runs);

}  // namespace cbench::report
