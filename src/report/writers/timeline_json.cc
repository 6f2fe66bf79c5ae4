// What `cbench monitor --json` prints; docs/monitor.md describes it.
#include "report/timeline.h"
#include "report/writers/json_values.h"

namespace cbench::report {
namespace {

Json ToJson(const Series& series) {
  return {{"probe", series.probe},         {"name", series.name},
          {"unit", series.unit},           {"values", series.values},
          {"missing", series.missing},     {"mean", ValueJson(series.mean)},
          {"min", ValueJson(series.low)},  {"max", ValueJson(series.high)},
          {"last", ValueJson(series.last)}};
}

}  // namespace

Json ToJson(const Timeline& timeline) {
  Json json = {{"schema", kMonitorSchema},
               {"duration_s", ToSeconds(timeline.window.second - timeline.window.first)}};
  json["probes"] = Json::array();
  for (const ProbeState& probe : timeline.probes) json["probes"].push_back(ToJson(probe));
  json["series"] = Json::array();
  for (const Series& series : timeline.series) json["series"].push_back(ToJson(series));
  json["reason"] = ReasonJson(timeline.reason);
  return json;
}

}  // namespace cbench::report
