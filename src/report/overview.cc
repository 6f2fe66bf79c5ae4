#include "report/overview.h"

#include <algorithm>
#include <functional>

#include "report/statistics.h"
#include "report/text.h"

namespace cbench::report {
namespace {

using Quantity = std::function<std::optional<double>(const RunSummary&)>;

std::vector<std::string> Strategies(const Summary& summary) {
  std::vector<std::string> names;
  for (const RunSummary& run : summary.runs) {
    if (std::find(names.begin(), names.end(), run.strategy) == names.end())
      names.push_back(run.strategy);
  }
  return names;
}

// Apps that have an SLO, in workflow order.
std::vector<std::string> JudgedApps(const Summary& summary) {
  std::vector<std::string> names;
  for (const RunSummary& run : summary.runs) {
    for (const auto& [name, task] : run.tasks) {
      if (!task.slo.empty() && std::find(names.begin(), names.end(), task.app) == names.end())
        names.push_back(task.app);
    }
  }
  return names;
}

std::optional<double> AppAttainment(const RunSummary& run, const std::string& app) {
  int met = 0, issued = 0;
  for (const auto& [name, task] : run.tasks) {
    if (task.app != app || task.slo.empty()) continue;
    met += task.met;
    issued += task.issued;
  }
  if (issued == 0) return std::nullopt;
  return static_cast<double>(met) / issued;
}

std::optional<double> MedianOf(const Summary& summary, const std::string& strategy,
                               const Quantity& quantity) {
  std::vector<double> values;
  for (const RunSummary& run : summary.runs) {
    if (run.strategy != strategy) continue;
    if (const auto value = quantity(run)) values.push_back(*value);
  }
  return Median(std::move(values));
}

std::string ValidRuns(const Summary& summary, const std::string& strategy) {
  int valid = 0, all = 0;
  for (const RunSummary& run : summary.runs) {
    if (run.strategy != strategy) continue;
    ++all;
    valid += run.verdict.valid;
  }
  return fmt::format("{}/{}", valid, all);
}

}  // namespace

Overview MakeOverview(const Summary& summary) {
  Overview overview{Strategies(summary), {}};
  const auto add = [&](const std::string& label, std::string (*format)(std::optional<double>),
                       const Quantity& quantity) {
    Overview::Row& row = overview.rows.emplace_back();
    row.label = label;
    for (const std::string& strategy : overview.strategies)
      row.cells.push_back(format(MedianOf(summary, strategy, quantity)));
  };
  for (const std::string& app : JudgedApps(summary))
    add(app, Percent, [&app](const RunSummary& run) { return AppAttainment(run, app); });
  add("makespan", Seconds, [](const RunSummary& run) { return run.makespan_s; });
  add("fairness", Ratio, [](const RunSummary& run) { return run.fairness_attainment; });
  Overview::Row& valid = overview.rows.emplace_back();
  valid.label = "valid runs";
  for (const std::string& strategy : overview.strategies)
    valid.cells.push_back(ValidRuns(summary, strategy));
  return overview;
}

std::string RunTitle(const Summary& summary, const RunSummary& run) {
  int repetitions = 0;
  for (const RunSummary& other : summary.runs) repetitions += other.strategy == run.strategy;
  if (repetitions < 2) return run.strategy;
  return fmt::format("{}, repetition {}", run.strategy, run.repeat + 1);
}

std::vector<MetricRow> MetricRows(const TaskSummary& task) {
  std::vector<MetricRow> rows;
  std::vector<std::string> order = {"ttft", "tpot", "step", "segment", "e2e"};
  for (const auto& [metric, slo] : task.slo) {
    if (std::find(order.begin(), order.end(), metric) == order.end()) order.push_back(metric);
  }
  for (const std::string& metric : order) {
    const auto slo = task.slo.find(metric);
    if (slo == task.slo.end()) continue;
    rows.push_back({metric, &slo->second, &slo->second.latency});
    // The same without the wait before sending: which of the two grew tells queue from engine.
    const auto service = task.metrics.find("ttft");
    if (metric == "ttft" && service != task.metrics.end())
      rows.push_back({"ttft from sending", nullptr, &service->second});
  }
  if (!rows.empty()) return rows;
  for (const char* metric : {"episode", "segment", "e2e", "e2e_response"}) {
    const auto found = task.metrics.find(metric);
    if (found != task.metrics.end()) return {{metric, nullptr, &found->second}};
  }
  return rows;
}

bool HasWithheld(const Summary& summary) {
  for (const RunSummary& run : summary.runs) {
    for (const auto& [name, task] : run.tasks) {
      for (const MetricRow& row : MetricRows(task)) {
        if (!row.latency->p95) return true;
      }
    }
  }
  return false;
}

}  // namespace cbench::report
