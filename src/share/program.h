// Who a whole program is to the gate, where all its steps are asked for under one name. Told by
// its environment; docs/shim.md lists the variables.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "share/step_hook.h"

namespace cbench::share {

inline constexpr char kAppVariable[] = "CBENCH_APP";
inline constexpr char kClassVariable[] = "CBENCH_CLASS";
inline constexpr char kWeightVariable[] = "CBENCH_WEIGHT";

inline constexpr double kMinWeight = 0.001, kMaxWeight = 1000;  // as in a scenario

struct Program {
  std::string app;
  AppClass app_class = AppClass::kLatency;
  double weight = 1;
};

// Errors name the variable. Without one: the program's own file name, latency, 1.
Result<Program> ProgramFromEnvironment();
std::vector<std::pair<std::string, std::string>> EnvironmentOf(const Program& program);

// A step that belongs to no request.
StepInfo StepOf(const Program& program);

}  // namespace cbench::share
