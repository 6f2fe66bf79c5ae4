// The rows that tables of one run have, on a terminal and in Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/summary.h"

namespace cbench::report {

// "greedy, repetition 2" or, if the strategy ran once, "greedy".
std::string RunTitle(const Summary& summary, const RunSummary& run);

// One line of a task's table.
struct MetricRow {
  std::string label;
  const SloResult* slo = nullptr;  // null: shown without target
  const Distribution* latency = nullptr;
};
// The task's SLOs in the order people think of them, and what else is always shown.
std::vector<MetricRow> MetricRows(const TaskSummary& task);

// True if a table of these runs shows a percentile that was withheld for too few samples.
bool HasWithheld(const Summary& summary);

inline constexpr std::string_view kWithheld =
    "— is unknown: a percentile needs enough samples (p90 20, p95 40, p99 200), other values "
    "need to have been measured";

}  // namespace cbench::report
