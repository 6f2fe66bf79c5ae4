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
#include "report/probes.h"

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
  // The empirical distribution as (value, share of samples at or below it), in order; of many
  // values few are kept, more densely towards the tail. For pictures; not in summary.json.
  std::vector<std::pair<double, double>> curve;
};

// Percentiles relative to those of the same app alone; `reason` says why one is null.
struct SlowdownValue {
  std::optional<double> p50, p99;
  std::string reason;
};

struct Slowdown {
  std::string metric;                              // the app's primary latency
  std::map<std::string, SlowdownValue> by_metric;  // empty without an exclusive run of the app

  SlowdownValue primary() const;
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
  Slowdown slowdown;
};

// How busy devices were, each over the makespan: the share of it in which at least one step held
// the gate or, where no step was recorded, the mean of the CPU's busy samples.
struct DeviceUse {
  std::map<std::string, double> busy;
  std::string source;  // "steps", "samples"
  std::string reason;  // why nothing is known
};

// A quantity over the repetitions of one strategy. With so few of them the bootstrap interval of
// the median is their range.
struct Repeated {
  std::optional<double> median, low, high;
};

struct RunSummary {
  std::string strategy;
  int repeat = 0;
  std::string status;  // done, cancelled, failed, interrupted
  std::optional<double> makespan_s;
  Verdict verdict;
  std::vector<std::pair<std::string, TaskSummary>> tasks;  // in workflow order
  std::map<std::string, Slowdown> slowdowns;               // by app, its tasks together
  std::optional<double> fairness_attainment;               // Jain over apps with SLOs
  std::optional<double> fairness_progress;                 // Jain of progress, progress.h
  std::string fairness_progress_reason;                    // why that is null
  DeviceUse device;
  std::vector<std::string> doubts;
};

// One app alone on the device, its repetitions pooled: what slow-downs are relative to.
struct ExclusiveSummary {
  std::string app, type;
  int runs = 0, planned = 0, issued = 0, completed = 0, met = 0;
  std::optional<double> attainment;  // null for apps without SLO
  std::string primary;               // the metric that stands for the app, key_latency.h
  std::map<std::string, Distribution> metrics;
  Verdict verdict;
  std::vector<std::string> doubts;
};

// One app under one strategy, its tasks and repetitions pooled.
struct AppShare {
  std::string app, type;
  bool has_slo = false;
  int issued = 0, completed = 0, met = 0;
  std::optional<double> attainment;
  std::optional<std::pair<double, double>> attainment_ci95;
  std::string primary;
  Distribution latency;                    // of the primary metric
  std::optional<double> requests_per_min;  // completed, per minute in which a task of it ran
  Slowdown slowdown;
};

// What the gate's steps say. Times in seconds.
struct GateUse {
  std::size_t holds = 0;
  double held_s = 0;                       // sum of holds
  Distribution wait, hold;                 // asked -> granted; granted -> released
  std::optional<double> prediction_error;  // median |predicted - measured| / measured
  std::optional<double> above_prediction;  // share of predicted holds that took longer
};

struct StrategySummary {
  std::string strategy;
  int runs = 0, valid_runs = 0;
  Repeated makespan_s, fairness_attainment, fairness_progress;
  std::string fairness_progress_reason;                 // where it is null in every repetition
  std::optional<double> makespan_ratio;                 // to that of `greedy`
  std::vector<AppShare> apps;                           // workflow order
  std::vector<std::pair<std::string, Slowdown>> tasks;  // workflow order, repetitions pooled
  std::map<std::string, Repeated> busy;                 // by device
  std::string busy_source, busy_reason;
  std::optional<GateUse> gate;  // null without steps
  std::map<std::string, GateUse> gate_apps;
  std::map<std::string, std::string> grain;  // by engine: step, graph, request, none
};

struct Summary {
  std::string scenario, directory, started_utc, cbench_version;
  Verdict verdict;                          // INVALID if any run is
  Json device, engines;                     // from the record's header
  std::vector<RunSummary> runs;             // all apps together
  std::vector<ExclusiveSummary> exclusive;  // each app alone, in workflow order
  std::vector<StrategySummary> strategies;  // in order of appearance
  std::vector<ProbeState> probes;           // of the monitor
  std::vector<std::string> doubts;          // about all runs together, e.g. spread over repetitions
  std::vector<std::string> notes;           // synthetic weights, torn record, …
};

Summary Compute(const record::Record& record);

// The writers. What names and messages hold is hostile: neither control characters nor markup of
// theirs reaches the output.
Json ToJson(const Summary& summary);                         // summary.json, docs/summary.md
std::string ToTerminal(const Summary& summary, bool color);  // at most 80 columns
std::string ToMarkdown(const Summary& summary);              // report.md

// report.html; docs/report.md. Reads the record's samples beside what is in memory.
std::string ToHtml(const Summary& summary, const record::Record& record);

// Writes summary.json, report.md, report.html and trace.json.gz into the record's directory, each
// atomically.
Result<> WriteReports(const Summary& summary, const record::Record& record);

// Of a record of `cbench monitor`, which has nothing to judge: report.html and trace.json.gz.
Result<> WriteMonitorReports(const record::Record& record);

}  // namespace cbench::report
