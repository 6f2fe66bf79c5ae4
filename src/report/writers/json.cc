// summary.json: cbench.summary/1, described in docs/summary.md. Other programs build on it: keys
// are added, never changed or removed, without a new schema number.
#include "report/summary.h"

namespace cbench::report {
namespace {

Json Value(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json VerdictJson(const Verdict& verdict) {
  return {{"status", verdict.valid ? "VALID" : "INVALID"}, {"reasons", verdict.reasons}};
}

const char* Unit(const std::string& metric) {
  if (metric == "rtf" || metric == "fluidity") return "ratio";
  return metric == "decode_rate" ? "tokens/s" : "s";
}

Json DistributionJson(const std::string& metric, const Distribution& d) {
  return {{"unit", Unit(metric)}, {"samples", d.samples}, {"p50", Value(d.p50)},
          {"p90", Value(d.p90)},  {"p95", Value(d.p95)},  {"p99", Value(d.p99)},
          {"max", Value(d.max)},  {"mean", Value(d.mean)}};
}

Json SloJson(const SloResult& slo) {
  return {{"target_s", slo.target_s},        {"met", slo.met},
          {"missing", slo.missing},          {"not_applicable", slo.not_applicable},
          {"p50_s", Value(slo.latency.p50)}, {"p95_s", Value(slo.latency.p95)},
          {"p99_s", Value(slo.latency.p99)}};
}

Json IntervalJson(const std::optional<std::pair<double, double>>& interval) {
  return interval ? Json::array({interval->first, interval->second}) : Json(nullptr);
}

Json TaskJson(const TaskSummary& task) {
  Json json = {{"app", task.app},
               {"type", task.type},
               {"class", task.priority_class},
               {"after", task.after},
               {"state", task.state},
               {"start_s", Value(task.start_s)},
               {"end_s", Value(task.end_s)},
               {"planned", task.planned},
               {"issued", task.issued},
               {"completed", task.completed},
               {"failed", task.failed},
               {"failures", Json::object()},
               {"met", task.slo.empty() ? Json(nullptr) : Json(task.met)},
               {"attainment", Value(task.attainment)},
               {"attainment_ci95", IntervalJson(task.attainment_ci95)},
               {"slo", Json::object()},
               {"slowdown", nullptr},  // needs the same app alone on the device, as baseline
               {"metrics", Json::object()},
               {"totals", Json::object()}};
  for (const auto& [kind, count] : task.failures) json["failures"][kind] = count;
  for (const auto& [metric, slo] : task.slo) json["slo"][metric] = SloJson(slo);
  for (const auto& [metric, d] : task.metrics)
    json["metrics"][metric] = DistributionJson(metric, d);
  for (const auto& [name, total] : task.totals) json["totals"][name] = total;
  return json;
}

Json RunJson(const RunSummary& run) {
  Json json = {
      {"strategy", run.strategy},
      {"repeat", run.repeat},
      {"status", run.status},
      {"makespan_s", Value(run.makespan_s)},
      {"verdict", VerdictJson(run.verdict)},
      {"tasks", Json::object()},
      {"fairness", {{"attainment", Value(run.fairness_attainment)}, {"progress", nullptr}}},
      {"device", Json::object()},
      {"doubts", run.doubts}};
  for (const auto& [name, task] : run.tasks) json["tasks"][name] = TaskJson(task);
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
               {"doubts", summary.doubts},
               {"notes", summary.notes}};
  for (const RunSummary& run : summary.runs) json["runs"].push_back(RunJson(run));
  return json;
}

}  // namespace cbench::report
