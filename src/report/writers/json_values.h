// Pieces of summary.json that its parts share.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "report/summary.h"

namespace cbench::report {

Json ValueJson(const std::optional<double>& value);
Json IntervalJson(const std::optional<std::pair<double, double>>& interval);
Json ReasonJson(const std::string& reason);  // null if empty
Json VerdictJson(const Verdict& verdict);
Json DistributionJson(const std::string& metric, const Distribution& distribution);

// {"p50", "p99"} of the primary metric, or null without an exclusive run of the app.
Json SlowdownJson(const Slowdown& slowdown);
// Adds slowdown, slowdown_metric, slowdown_reason and slowdowns to `json`.
void AddSlowdown(const Slowdown& slowdown, Json& json);

// The sections of several runs.
Json ExclusiveJson(const Summary& summary);
Json StrategiesJson(const Summary& summary);

}  // namespace cbench::report
