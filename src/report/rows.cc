#include "report/rows.h"

#include <algorithm>

namespace cbench::report {

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
