#include "report/writers/json_values.h"

namespace cbench::report {
namespace {

const char* Unit(const std::string& metric) {
  if (metric == "rtf" || metric == "fluidity") return "ratio";
  return metric == "decode_rate" ? "tokens/s" : "s";
}

}  // namespace

Json ValueJson(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json IntervalJson(const std::optional<std::pair<double, double>>& interval) {
  return interval ? Json::array({interval->first, interval->second}) : Json(nullptr);
}

Json ReasonJson(const std::string& reason) { return reason.empty() ? Json(nullptr) : Json(reason); }

Json VerdictJson(const Verdict& verdict) {
  return {{"status", verdict.valid ? "VALID" : "INVALID"}, {"reasons", verdict.reasons}};
}

Json DistributionJson(const std::string& metric, const Distribution& d) {
  return {{"unit", Unit(metric)},    {"samples", d.samples},     {"p50", ValueJson(d.p50)},
          {"p90", ValueJson(d.p90)}, {"p95", ValueJson(d.p95)},  {"p99", ValueJson(d.p99)},
          {"max", ValueJson(d.max)}, {"mean", ValueJson(d.mean)}};
}

Json SlowdownJson(const Slowdown& slowdown) {
  if (slowdown.by_metric.empty()) return nullptr;
  const SlowdownValue value = slowdown.primary();
  return {{"p50", ValueJson(value.p50)}, {"p99", ValueJson(value.p99)}};
}

void AddSlowdown(const Slowdown& slowdown, Json& json) {
  json["slowdown"] = SlowdownJson(slowdown);
  json["slowdown_metric"] = slowdown.metric;
  json["slowdown_reason"] = ReasonJson(slowdown.primary().reason);
  json["slowdowns"] = Json::object();
  for (const auto& [metric, value] : slowdown.by_metric) {
    json["slowdowns"][metric] = {{"p50", ValueJson(value.p50)},
                                 {"p99", ValueJson(value.p99)},
                                 {"reason", ReasonJson(value.reason)}};
  }
}

}  // namespace cbench::report
