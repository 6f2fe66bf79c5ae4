// How busy devices were over a run's makespan, from the best source the record has.
#pragma once

#include <optional>
#include <vector>

#include "record/event.h"
#include "report/intervals.h"
#include "report/judged.h"
#include "report/plan.h"
#include "report/summary.h"

namespace cbench::report {

// First task start -> last task end; null while any task that started has no end.
std::optional<Interval> Window(const RunFacts& facts);

// The union of the steps' times on each device / the window; `cpu` are samples of probe cpu, name
// busy, in order of time, asked for where the run has no step. An engine whose device the plan
// does not name is on "device".
DeviceUse MeasureUse(const RunFacts& facts, const Plan& plan,
                     const std::vector<record::Sample>& cpu);

}  // namespace cbench::report
