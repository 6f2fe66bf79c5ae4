// cbench.compare/1, described in docs/compare.md: keys are added, never changed or removed, without
// a new schema number.
#include "report/compare/comparison.h"
#include "report/writers/json_values.h"

namespace cbench::report {
namespace {

const char* UnitOf(Quantity quantity) {
  constexpr const char* kUnits[] = {"s", "J", "share", "1/min"};
  return kUnits[static_cast<int>(quantity)];
}

Json MetricJson(const MetricChange& row) {
  return {{"metric", row.metric},
          {"unit", UnitOf(row.quantity)},
          {"before", ValueJson(row.before)},
          {"after", ValueJson(row.after)},
          {"change", ValueJson(row.change)},
          {"change_ci95", IntervalJson(row.bounds)},
          {"noise", ValueJson(row.noise)},
          {"verdict", Name(row.verdict)},
          {"reason", ReasonJson(row.reason)}};
}

Json AppJson(const AppChanges& app) {
  Json json = {
      {"app", ReasonJson(app.app)}, {"type", ReasonJson(app.type)}, {"metrics", Json::array()}};
  for (const MetricChange& row : app.metrics) json["metrics"].push_back(MetricJson(row));
  return json;
}

Json PairingJson(const Pairing& pairing) {
  Json json = {{"before",
                {{"label", pairing.before},
                 {"strategy", pairing.strategy_before},
                 {"repetitions", pairing.repetitions_before}}},
               {"after",
                {{"label", pairing.after},
                 {"strategy", pairing.strategy_after},
                 {"repetitions", pairing.repetitions_after}}},
               {"outcome", Name(pairing.outcome)},
               {"reasons", pairing.reasons},
               {"apps", Json::array()}};
  for (const AppChanges& app : pairing.apps) json["apps"].push_back(AppJson(app));
  return json;
}

}  // namespace

Json ToJson(const Comparison& comparison) {
  Json json = {{"schema", kCompareSchema},
               {"outcome", Name(comparison.outcome)},
               {"smallest_change", kSmallestChange},
               {"pairings", Json::array()},
               {"setup_differences", comparison.differences},
               {"notes", comparison.notes}};
  for (const Pairing& pairing : comparison.pairings)
    json["pairings"].push_back(PairingJson(pairing));
  return json;
}

}  // namespace cbench::report
