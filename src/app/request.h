// What every request of every app has in common: urgency, and how one that never
// reached an engine is reported.
#pragma once

#include <optional>
#include <string>

#include "engine/engine.h"
#include "scenario/scenario.h"

namespace cbench::app {

std::optional<Nanos> Target(const scenario::AppSpec& app, scenario::SloMetric metric);

// `first` and `per_step` are targets, e.g. of TTFT and TPOT; what is missing stays 0 (none).
share::Urgency MakeUrgency(const scenario::AppSpec& app, Nanos t_sched, std::optional<Nanos> first,
                           std::optional<Nanos> per_step);

record::RequestDone FailedRequest(Nanos t_sched, std::string kind, std::string message);

}  // namespace cbench::app
