#include "cli/scenario_options.h"

#include "scenario/suggest.h"

namespace cbench::cli {
namespace {

Result<scenario::Synthetic> ParseSynthetic(const std::string& text) {
  if (text.empty()) return scenario::Synthetic::kOff;
  if (text == "demo") return scenario::Synthetic::kDemo;
  if (text == "full") return scenario::Synthetic::kFull;
  return InputError("--synthetic: {} is neither demo nor full", scenario::Quote(text));
}

}  // namespace

CLI::Validator NotEmpty() {
  return CLI::Validator(
      [](std::string& value) {
        return value.empty() ? std::string("wants a value, not an empty one") : std::string();
      },
      "");
}

void AddScenarioOptions(CLI::App& command, ScenarioOptions& options) {
  command.add_option("FILE", options.files, "Scenario files (YAML; see docs/scenario.md)")
      ->required();
  command.add_flag("--synthetic{demo}", options.synthetic,
                   "Replace every model by its synthetic twin: --synthetic=demo (small, the "
                   "default) or --synthetic=full (the real architecture's size)");
  command
      .add_option("--strategy", options.strategies,
                  "Strategies instead of the file's, separated by commas: greedy, tamed, nice, "
                  "partition, fifo, priority, credit; or credit without one of its parts: "
                  "credit-no-slack, credit-no-hold, credit-no-credit, credit-no-split")
      ->check(NotEmpty())
      ->type_name("A,B");
  command.add_flag("--exclusive-baseline", options.exclusive_baseline,
                   "In every repetition run each app alone first: slow-downs are measured against "
                   "that");
}

Result<scenario::Scenario> LoadScenario(const std::string& file, const ScenarioOptions& options) {
  scenario::LoadOptions load;
  CBENCH_ASSIGN(load.synthetic, ParseSynthetic(options.synthetic));
  CBENCH_ASSIGN(scenario::Scenario loaded, scenario::Load(file, load));
  if (options.exclusive_baseline) loaded.exclusive_baseline = true;
  if (options.strategies.empty()) return loaded;
  auto strategies = scenario::ParseStrategies(options.strategies);
  if (!strategies) return InputError("--strategy: {}", strategies.error().message);
  loaded.strategies = std::move(*strategies);
  return loaded;
}

}  // namespace cbench::cli
