// The options by which check and run name and change scenarios.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "scenario/scenario.h"

namespace cbench::cli {

struct ScenarioOptions {
  std::vector<std::string> files;
  std::string synthetic;   // empty, "demo" or "full"
  std::string strategies;  // empty: the file's; else a comma list
  bool exclusive_baseline = false;
};

// An option whose value may not be empty.
CLI::Validator NotEmpty();

// Adds FILE…, --synthetic and --strategy. `options` must outlive the parsing.
void AddScenarioOptions(CLI::App& command, ScenarioOptions& options);

// Loads one file and applies the options to it.
Result<scenario::Scenario> LoadScenario(const std::string& file, const ScenarioOptions& options);

}  // namespace cbench::cli
