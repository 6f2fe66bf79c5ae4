// What summary.json says of several runs together: `exclusive` and `strategies`.
#include "report/writers/json_values.h"

namespace cbench::report {
namespace {

Json RepeatedJson(const Repeated& value) {
  return {{"median", ValueJson(value.median)},
          {"low", ValueJson(value.low)},
          {"high", ValueJson(value.high)}};
}

Json OneExclusive(const ExclusiveSummary& one) {
  Json json = {{"type", one.type},
               {"runs", one.runs},
               {"planned", one.planned},
               {"issued", one.issued},
               {"completed", one.completed},
               {"met", one.attainment ? Json(one.met) : Json(nullptr)},
               {"attainment", ValueJson(one.attainment)},
               {"primary", one.primary},
               {"metrics", Json::object()},
               {"verdict", VerdictJson(one.verdict)},
               {"doubts", one.doubts}};
  for (const auto& [metric, d] : one.metrics) json["metrics"][metric] = DistributionJson(metric, d);
  return json;
}

Json AppJson(const AppShare& app) {
  Json json = {{"type", app.type},
               {"issued", app.issued},
               {"completed", app.completed},
               {"met", app.has_slo ? Json(app.met) : Json(nullptr)},
               {"attainment", ValueJson(app.attainment)},
               {"attainment_ci95", IntervalJson(app.attainment_ci95)},
               {"primary", app.primary},
               {"latency", DistributionJson(app.primary, app.latency)},
               {"requests_per_min", ValueJson(app.requests_per_min)}};
  AddSlowdown(app.slowdown, json);
  return json;
}

Json GateUseJson(const GateUse& gate) {
  return {{"holds", gate.holds},
          {"held_s", gate.held_s},
          {"wait", DistributionJson("wait", gate.wait)},
          {"hold", DistributionJson("hold", gate.hold)},
          {"prediction_error", ValueJson(gate.prediction_error)},
          {"above_prediction", ValueJson(gate.above_prediction)}};
}

Json GateJson(const StrategySummary& strategy) {
  if (!strategy.gate) return nullptr;
  Json json = GateUseJson(*strategy.gate);
  json["apps"] = Json::object();
  for (const auto& [app, gate] : strategy.gate_apps) json["apps"][app] = GateUseJson(gate);
  return json;
}

Json DeviceJson(const StrategySummary& strategy) {
  Json json = {{"busy", Json::object()},
               {"source", ReasonJson(strategy.busy_source)},
               {"reason", ReasonJson(strategy.busy_reason)}};
  for (const auto& [device, busy] : strategy.busy) json["busy"][device] = RepeatedJson(busy);
  return json;
}

Json StrategyJson(const StrategySummary& strategy) {
  Json json = {{"strategy", strategy.strategy},
               {"runs", strategy.runs},
               {"valid_runs", strategy.valid_runs},
               {"makespan_s", RepeatedJson(strategy.makespan_s)},
               {"makespan_to_greedy", ValueJson(strategy.makespan_ratio)},
               {"fairness",
                {{"attainment", RepeatedJson(strategy.fairness_attainment)},
                 {"progress", RepeatedJson(strategy.fairness_progress)},
                 {"progress_reason", ReasonJson(strategy.fairness_progress_reason)}}},
               {"apps", Json::object()},
               {"tasks", Json::object()},
               {"device", DeviceJson(strategy)},
               {"gate", GateJson(strategy)},
               {"grain", strategy.grain}};
  for (const AppShare& app : strategy.apps) json["apps"][app.app] = AppJson(app);
  for (const auto& [task, slowdown] : strategy.tasks) {
    json["tasks"][task] = Json::object();
    AddSlowdown(slowdown, json["tasks"][task]);
  }
  return json;
}

}  // namespace

Json ExclusiveJson(const Summary& summary) {
  Json json = Json::object();
  for (const ExclusiveSummary& one : summary.exclusive) json[one.app] = OneExclusive(one);
  return json;
}

Json StrategiesJson(const Summary& summary) {
  Json json = Json::array();
  for (const StrategySummary& strategy : summary.strategies) json.push_back(StrategyJson(strategy));
  return json;
}

}  // namespace cbench::report
