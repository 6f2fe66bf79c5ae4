// A scenario's workflow as a graph ready to execute: each task knows how many tasks it waits for
// and whom it lets go when it finishes.
#pragma once

#include <cstddef>
#include <vector>

#include "scenario/scenario.h"

namespace cbench::run {

struct PlannedTask {
  const scenario::TaskSpec* task;
  const scenario::AppSpec* app;
  std::size_t waits_for = 0;            // tasks that must finish first
  std::vector<std::size_t> dependants;  // indices into Plan
};
using Plan = std::vector<PlannedTask>;  // in the scenario's order; acyclic as the loader made sure

Plan MakePlan(const scenario::Scenario& scenario);

// Only that app's tasks, one after the other in the scenario's order: the app alone on the device.
Plan MakePlanOf(const scenario::Scenario& scenario, const scenario::AppSpec& app);

}  // namespace cbench::run
