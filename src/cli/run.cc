// cbench run: execute scenarios and say who met their SLO.
#include <unistd.h>

#include "base/cancel.h"
#include "base/limits.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/preflight.h"
#include "cli/progress.h"
#include "cli/record_options.h"
#include "cli/scenario_options.h"
#include "cli/terminal.h"
#include "monitor/sampler.h"
#include "record/reader.h"
#include "report/summary.h"
#include "run/runner.h"

namespace cbench::cli {
namespace {

struct Options {
  ScenarioOptions scenario;
  int repeat = 0;
  std::optional<std::uint64_t> seed;
  std::string out, runs = "runs";
  double sample_rate = monitor::kDefaultRate;
  bool json = false;
};

Result<scenario::Scenario> LoadOne(const Options& options, const std::string& file) {
  CBENCH_ASSIGN(auto scenario, LoadScenario(file, options.scenario));
  if (options.repeat > 0) scenario.repeat = options.repeat;
  if (options.seed) scenario.seed = *options.seed;
  auto unusable = Unusable(scenario);
  if (!unusable.empty()) return tl::unexpected(std::move(unusable.front()));
  return scenario;
}

Result<report::Summary> Report(const std::filesystem::path& directory) {
  CBENCH_ASSIGN(const auto record, record::Read(directory));
  auto summary = report::Compute(record);
  CBENCH_TRY(report::WriteReports(summary, record));
  return summary;
}

Result<ExitCode> Run(const Options& options) {
  if (!options.out.empty() && options.scenario.files.size() > 1) {
    return InputError("--out: names one folder, so it takes one scenario");
  }
  std::vector<scenario::Scenario> scenarios;  // all are checked before the first is run
  for (const auto& file : options.scenario.files) {
    CBENCH_ASSIGN(auto scenario, LoadOne(options, file));
    scenarios.push_back(std::move(scenario));
  }

  Cancel cancel;
  const Interrupt interrupt(cancel);
  const run::RunOptions run_options{
      options.runs,   options.out,         CommandLine(),
      CBENCH_VERSION, options.sample_rate, [&interrupt] { return interrupt.stops(); }};
  bool valid = true;
  for (const auto& scenario : scenarios) {
    if (cancel.IsTriggered()) break;
    Result<std::filesystem::path> directory;
    {
      Progress progress(isatty(STDERR_FILENO) == 1);
      directory = run::Execute(scenario, run_options, progress, cancel);
    }
    CBENCH_TRY(directory);
    CBENCH_ASSIGN(const auto summary, Report(*directory));
    valid = valid && summary.verdict.valid;
    if (options.json) {
      PrintJson(report::ToJson(summary));
    } else {
      Print(report::ToTerminal(summary, UseColor(STDOUT_FILENO)) + "\n");
    }
  }
  return valid && !cancel.IsTriggered() ? kOk : kFailed;
}

}  // namespace

void AddRun(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("run", "Run scenarios and say who met their SLO");
  auto options = std::make_shared<Options>();
  AddScenarioOptions(*command, options->scenario);
  command->add_option("--repeat", options->repeat, "Repetitions, interleaved over the strategies")
      ->check(CLI::Range(1, limits::kRepetitions));
  command->add_option("--seed", options->seed, "Seed of prompts, salts and images")
      ->check(CLI::NonNegativeNumber);
  AddSampleRate(*command, options->sample_rate);
  AddRecordFolder(*command, options->runs, options->out);
  command->add_flag("--json", options->json, "Print summary.json on stdout instead of the table");
  command->footer(
      "Examples:\n"
      "  cbench run scenarios/content_creation.yaml\n"
      "  cbench run --synthetic=demo --repeat 3 scenarios/original_dialect.yaml --json > "
      "summary.json\n\n"
      "The record stays in runs/NAME-TIME-ID/ also after Ctrl-C; 'cbench report DIR' reads it "
      "again.\n"
      "Exit code: 0 every run VALID, 1 failed or INVALID, 2 wrong usage or input.");
  command->callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace cbench::cli
