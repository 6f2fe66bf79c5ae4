// summary.json: cbench.summary/1, described in docs/summary.md. Other programs build on it: keys
// are added, never changed or removed, without a new schema number.
#include "report/summary.h"
#include "report/writers/json_values.h"

namespace cbench::report {
namespace {

Json SloJson(const SloResult& slo) {
  return {{"target_s", slo.target_s},
          {"met", slo.met},
          {"missing", slo.missing},
          {"not_applicable", slo.not_applicable},
          {"p50_s", ValueJson(slo.latency.p50)},
          {"p95_s", ValueJson(slo.latency.p95)},
          {"p99_s", ValueJson(slo.latency.p99)}};
}

Json TaskJson(const TaskSummary& task) {
  Json json = {{"app", task.app},
               {"type", task.type},
               {"class", task.priority_class},
               {"after", task.after},
               {"state", task.state},
               {"start_s", ValueJson(task.start_s)},
               {"end_s", ValueJson(task.end_s)},
               {"planned", task.planned},
               {"issued", task.issued},
               {"completed", task.completed},
               {"failed", task.failed},
               {"failures", Json::object()},
               {"met", task.slo.empty() ? Json(nullptr) : Json(task.met)},
               {"attainment", ValueJson(task.attainment)},
               {"attainment_ci95", IntervalJson(task.attainment_ci95)},
               {"slo", Json::object()},
               {"slowdown", nullptr},
               {"metrics", Json::object()},
               {"totals", Json::object()}};
  for (const auto& [kind, count] : task.failures) json["failures"][kind] = count;
  for (const auto& [metric, slo] : task.slo) json["slo"][metric] = SloJson(slo);
  for (const auto& [metric, d] : task.metrics)
    json["metrics"][metric] = DistributionJson(metric, d);
  for (const auto& [name, total] : task.totals) json["totals"][name] = total;
  AddSlowdown(task.slowdown, json);
  return json;
}

// Empty where nothing is known.
Json DeviceJson(const DeviceUse& use) {
  if (use.source.empty()) return Json::object();
  return {{"busy", use.busy}, {"source", use.source}};
}

Json RunJson(const RunSummary& run) {
  Json json = {{"strategy", run.strategy},
               {"repeat", run.repeat},
               {"status", run.status},
               {"makespan_s", ValueJson(run.makespan_s)},
               {"verdict", VerdictJson(run.verdict)},
               {"tasks", Json::object()},
               {"apps", Json::object()},
               {"fairness",
                {{"attainment", ValueJson(run.fairness_attainment)},
                 {"progress", ValueJson(run.fairness_progress)},
                 {"progress_reason", ReasonJson(run.fairness_progress_reason)}}},
               {"device", DeviceJson(run.device)},
               {"doubts", run.doubts}};
  for (const auto& [name, task] : run.tasks) json["tasks"][name] = TaskJson(task);
  for (const auto& [app, slowdown] : run.slowdowns) {
    json["apps"][app] = Json::object();
    AddSlowdown(slowdown, json["apps"][app]);
  }
  return json;
}

}  // namespace

Json ToJson(const Summary& summary) {
  Json json = {{"schema", kSummarySchema},
               {"scenario", summary.scenario},
               {"directory", summary.directory},
               {"started_utc", summary.started_utc},
               {"cbench_version", summary.cbench_version},
               {"verdict", VerdictJson(summary.verdict)},
               {"device", summary.device},
               {"engines", summary.engines},
               {"runs", Json::array()},
               {"exclusive", ExclusiveJson(summary)},
               {"strategies", StrategiesJson(summary)},
               {"probes", Json::array()},
               {"doubts", summary.doubts},
               {"notes", summary.notes}};
  for (const ProbeState& probe : summary.probes) json["probes"].push_back(ToJson(probe));
  for (const RunSummary& run : summary.runs) json["runs"].push_back(RunJson(run));
  return json;
}

}  // namespace cbench::report
