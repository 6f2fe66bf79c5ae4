// One task of one run -> its numbers, and what the verdict must know about them.
#pragma once

#include <optional>

#include "report/facts.h"
#include "report/plan.h"
#include "report/statistics.h"
#include "report/summary.h"

namespace cbench::report {

// Counts of what makes numbers doubtful or invalid; verdict.cc turns them into sentences.
struct TaskChecks {
  double usage_tokens = 0, token_difference = 0;  // over requests that have both counts
  int pinned = 0, pinned_off = 0;                 // answers with a length asked for; off by > 10 %
  int retried = 0;
  double prompt_tokens = 0, cached_tokens = 0;
  Samples dispatch;                      // how long the harness itself held requests back
  std::optional<double> first_latency;   // of the first request, where there are enough others
  std::optional<double> median_latency;  // of the others
};

struct SummarizedTask {
  TaskSummary summary;
  TaskChecks checks;
  std::map<std::string, Samples> samples;  // what summary.metrics describes, to be pooled
};

SummarizedTask SummarizeTask(const TaskFacts& facts, const PlannedApp& app, Nanos run_start);

}  // namespace cbench::report
