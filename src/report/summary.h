// record -> numbers -> verdict. Compute() is the only place where metrics are made; every writer
// (terminal, JSON, Markdown, …) prints the same Summary. Definitions: docs/metrics.md.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/reader.h"

namespace cbench::report {

inline constexpr char kSummarySchema[] = "cbench.summary/1";

struct Verdict {
  bool valid = true;
  std::vector<std::string> reasons;  // empty if valid
};

// A distribution's percentiles in seconds (rtf, fluidity: ratios; decode_rate: tokens per second);
// withheld below the sample floors of statistics.h.
struct Distribution {
  std::size_t samples = 0;
  std::optional<double> p50, p90, p95, p99, max, mean;
};

struct SloResult {
  double target_s = 0;
  int met = 0;             // requests, the not applicable ones included
  int missing = 0;         // completed requests whose metric could not be measured: misses
  int not_applicable = 0;  // requests without this metric by definition: TPOT of a one-chunk answer
  Distribution latency;    // every judged value: of an image each step, else one a request
};

struct TaskSummary {
  std::string app, type, priority_class;
  std::vector<std::string> after;
  std::string state;  // finished, failed, skipped, cancelled, running (interrupted), not started
  std::optional<double> start_s, end_s;                    // from the run's start
  int planned = 0, issued = 0, completed = 0, failed = 0;  // failed: issued, but not completed
  int met = 0;                                             // requests that met every SLO
  std::optional<double> attainment;                        // null for apps without SLO
  std::optional<std::pair<double, double>> attainment_ci95;
  std::map<std::string, SloResult> slo;
  std::map<std::string, Distribution>
      metrics;  // ttft, ttft_response, tpot, itl, e2e, step, first_step, segment, rtf, episode …
  std::map<std::string, double> totals;  // tokens in/out/cached, llm_calls, tool_time_s, …
  std::map<std::string, int> failures;   // by failure kind
};

struct RunSummary {
  std::string strategy;
  int repeat = 0;
  std::string status;  // done, cancelled, failed, interrupted
  std::optional<double> makespan_s;
  Verdict verdict;
  std::vector<std::pair<std::string, TaskSummary>> tasks;  // in workflow order
  std::optional<double> fairness_attainment;               // Jain over apps with SLOs
  std::vector<std::string> doubts;
};

struct Summary {
  std::string scenario, directory, started_utc, cbench_version;
  Verdict verdict;       // INVALID if any run is
  Json device, engines;  // from the record's header
  std::vector<RunSummary> runs;
  std::vector<std::string> doubts;  // about all runs together, e.g. spread over repetitions
  std::vector<std::string> notes;   // synthetic weights, torn record, …
};

Summary Compute(const record::Record& record);

// The writers. What names and messages hold is hostile: neither control characters nor markup of
// theirs reaches the output.
Json ToJson(const Summary& summary);                         // summary.json, docs/summary.md
std::string ToTerminal(const Summary& summary, bool color);  // at most 80 columns
std::string ToMarkdown(const Summary& summary);              // report.md

// Writes summary.json and report.md into the record's directory, each atomically.
Result<> WriteReports(const Summary& summary, const std::filesystem::path& directory);

}  // namespace cbench::report
