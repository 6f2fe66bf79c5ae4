#include "cli/scenario_options.h"

#include <unistd.h>

#include <cstdlib>

namespace cbench::cli {
namespace {

Result<std::vector<scenario::Strategy>> ParseStrategies(const std::vector<std::string>& names) {
  std::vector<scenario::Strategy> strategies;
  for (const auto& name : names) {
    const auto strategy = scenario::ParseStrategy(name);
    if (!strategy) {
      return InputError(
          "--strategy {}: not a strategy; use greedy, tamed, nice, partition, fifo, priority or "
          "credit",
          name);
    }
    strategies.push_back(*strategy);
  }
  return strategies;
}

}  // namespace

void AddScenarioOptions(CLI::App& command, ScenarioOptions& options) {
  command
      .add_flag("--synthetic{demo}", options.synthetic,
                "Use synthetic twins of the models named: demo sizes or =full")
      ->check(CLI::IsMember({"demo", "full"}));
  command.add_option("--strategy", options.strategies, "Strategies instead of the file's: a,b,c")
      ->delimiter(',');
}

Result<scenario::Scenario> LoadScenario(const std::string& file, const ScenarioOptions& options) {
  scenario::LoadOptions load;
  if (options.synthetic == "demo") load.synthetic = scenario::Synthetic::kDemo;
  if (options.synthetic == "full") load.synthetic = scenario::Synthetic::kFull;
  CBENCH_ASSIGN(auto scenario, scenario::Load(file, load));
  CBENCH_ASSIGN(auto strategies, ParseStrategies(options.strategies));
  if (!strategies.empty()) scenario.strategies = std::move(strategies);
  return scenario;
}

bool UseColor(int descriptor) { return isatty(descriptor) == 1 && !std::getenv("NO_COLOR"); }

}  // namespace cbench::cli
