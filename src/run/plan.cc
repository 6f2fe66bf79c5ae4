#include "run/plan.h"

#include <map>

namespace cbench::run {

Plan MakePlan(const scenario::Scenario& scenario) {
  Plan plan;
  std::map<std::string_view, std::size_t> index;
  for (const auto& task : scenario.tasks) {
    index[task.name] = plan.size();
    plan.push_back({&task, scenario.FindApp(task.app), task.after.size(), {}});
  }
  for (std::size_t i = 0; i < plan.size(); ++i) {
    for (const auto& name : plan[i].task->after) plan[index.at(name)].dependants.push_back(i);
  }
  return plan;
}

Plan MakePlanOf(const scenario::Scenario& scenario, const scenario::AppSpec& app) {
  Plan plan;
  for (const auto& task : scenario.tasks) {
    if (task.app != app.name) continue;
    if (!plan.empty()) plan.back().dependants.push_back(plan.size());
    plan.push_back({&task, &app, plan.empty() ? 0u : 1u, {}});
  }
  return plan;
}

}  // namespace cbench::run
