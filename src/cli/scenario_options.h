// Options that say how a scenario file is read; shared by run and check.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "scenario/scenario.h"

namespace cbench::cli {

struct ScenarioOptions {
  std::string synthetic;                // "", "demo" or "full"
  std::vector<std::string> strategies;  // empty: the file's
};

// Adds --synthetic[=demo|full] and --strategy a,b,c.
void AddScenarioOptions(CLI::App& command, ScenarioOptions& options);
Result<scenario::Scenario> LoadScenario(const std::string& file, const ScenarioOptions& options);

// Colour where the descriptor is a terminal and NO_COLOR is not set.
bool UseColor(int descriptor);

}  // namespace cbench::cli
