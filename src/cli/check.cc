// cbench check: what a scenario file means, without running it.
#include <algorithm>
#include <memory>

#include "base/units.h"
#include "cli/command.h"
#include "cli/preflight.h"
#include "cli/scenario_options.h"
#include "cli/table.h"
#include "scenario/scenario.h"

namespace cbench::cli {
namespace {

using scenario::AppSpec;
using scenario::EngineSpec;
using scenario::Scenario;
using scenario::TaskSpec;

std::string Join(const std::vector<std::string>& words) {
  return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ", "));
}

std::string DescribeSlo(const AppSpec& app) {
  std::vector<std::string> limits;
  for (const scenario::Slo& slo : app.slo) {
    limits.push_back(fmt::format("{} <= {}", Name(slo.metric), FormatDuration(slo.target)));
  }
  return Join(limits);
}

Row EngineRow(const EngineSpec& engine) {
  const std::string model = engine.quant.empty() ? engine.model : engine.model + " " + engine.quant;
  if (!engine.attach.empty()) return {engine.name, engine.attach, model, "runs already", "", ""};
  return {engine.name,
          engine.use,
          model,
          "device " + engine.device,
          fmt::format("{} slot{}", engine.parallel, engine.parallel == 1 ? "" : "s"),
          engine.use == "embedded-text" ? fmt::format("{} tokens", engine.context) : ""};
}

std::string EngineTable(const Scenario& scenario) {
  std::vector<Row> rows;
  for (const EngineSpec& engine : scenario.engines) rows.push_back(EngineRow(engine));
  return rows.empty() ? "" : "\nengines\n" + AlignColumns(rows);
}

std::string AppTable(const Scenario& scenario) {
  std::vector<Row> rows = {{"app", "type", "class", "engine", "SLO"}};
  for (const AppSpec& app : scenario.apps) {
    rows.push_back({app.name, std::string(Name(app.type)), std::string(Name(app.priority_class)),
                    app.engine.empty() ? "-" : app.engine, DescribeSlo(app)});
  }
  return "\napps\n" + AlignColumns(rows);
}

std::string TaskTable(const Scenario& scenario) {
  std::vector<Row> rows = {{"task", "app", "requests", "after"}};
  for (const TaskSpec* task : scenario::TopologicalOrder(scenario)) {
    rows.push_back({task->name, task->app, fmt::to_string(task->requests), Join(task->after)});
  }
  return "\ntasks, each below all it waits for\n" + AlignColumns(rows);
}

std::string Heading(const Scenario& scenario) {
  std::vector<std::string> strategies;
  for (const auto strategy : scenario.strategies) strategies.emplace_back(Name(strategy));
  return fmt::format(
      "{} ({}, {} dialect)\nstrategy {}; repeat {}; warm-up {} per engine; seed {}\n",
      scenario.name, scenario.path.string(), Name(scenario.dialect), Join(strategies),
      scenario.repeat, scenario.warmup, scenario.seed);
}

// What keeps a scenario that is without mistakes from running on this machine.
struct Obstacles {
  std::vector<Error> missing, unusable;
};

std::string MissingText(const std::vector<Error>& missing) {
  std::string text = missing.empty() ? "" : "\nmissing\n";
  for (const Error& error : missing) text += "  " + error.message + "\n";
  return text;
}

std::string Describe(const Scenario& scenario, const Obstacles& obstacles) {
  return Heading(scenario) + EngineTable(scenario) + AppTable(scenario) + TaskTable(scenario) +
         MissingText(obstacles.missing);
}

Json Messages(const std::vector<Error>& errors) {
  Json list = Json::array();
  for (const Error& error : errors) list.push_back(error.message);
  return list;
}

Json ToJson(const Scenario& scenario, const Obstacles& obstacles) {
  Json json = scenario::ToJson(scenario);
  json["missing"] = Messages(obstacles.missing);
  json["unusable"] = Messages(obstacles.unusable);
  return json;
}

struct CheckOptions {
  ScenarioOptions scenario;
  bool json = false;
};

// All files are looked at, so that one invocation finds every mistake; the worst decides.
class Checker {
 public:
  explicit Checker(const CheckOptions& options) : options_(options) {}

  ExitCode Run() {
    for (const std::string& file : options_.scenario.files) Check(file);
    const bool one = options_.scenario.files.size() == 1;
    if (!plans_.empty()) PrintJson(one ? plans_.front() : plans_);
    return worst_;
  }

 private:
  void Check(const std::string& file) {
    const auto scenario = LoadScenario(file, options_.scenario);
    if (!scenario) {
      PrintError(scenario.error());
      worst_ = kUsage;
      return;
    }
    const Obstacles obstacles{scenario::MissingModels(*scenario), Unusable(*scenario)};
    if (!obstacles.missing.empty()) worst_ = std::max(worst_, kFailed);
    if (!obstacles.unusable.empty()) worst_ = kUsage;
    for (const Error& error : obstacles.unusable) PrintError(error);
    if (options_.json) {
      plans_.push_back(ToJson(*scenario, obstacles));
    } else {
      Print((printed_++ > 0 ? "\n" : "") + Describe(*scenario, obstacles));
    }
  }

  const CheckOptions& options_;
  ExitCode worst_ = kOk;
  Json plans_ = Json::array();
  int printed_ = 0;
};

}  // namespace

void AddCheck(CLI::App& app, Action& action) {
  auto* command =
      app.add_subcommand("check", "Show what scenario files mean, without running them");
  const auto options = std::make_shared<CheckOptions>();
  AddScenarioOptions(*command, options->scenario);
  command->add_flag("--json", options->json,
                    "Print the resolved scenario as JSON (an array if there are several files)");
  command->footer(
      "Examples:\n"
      "  cbench check scenarios/content_creation.yaml\n"
      "  cbench check --synthetic scenarios/original_dialect.yaml --json | jq .tasks\n\n"
      "Exit code: 0 could run here, 1 a model or file is not on this machine, 2 a mistake in a\n"
      "file, a model file that its engine cannot read, or no GPU for device: gpu.");
  command->callback([options, &action] {
    action = [options]() -> Result<ExitCode> { return Checker(*options).Run(); };
  });
}

}  // namespace cbench::cli
