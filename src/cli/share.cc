// cbench share: starts any program under the user's machine-wide gate, outside a benchmark.
#include <filesystem>

#include "cli/command.h"
#include "cli/foreground.h"
#include "cli/scenario_options.h"
#include "cli/share_status.h"
#include "share/gate/gate.h"
#include "share/machine_gate.h"
#include "share/preload.h"

namespace cbench::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> command;
  std::string name, app_class = "latency";
  double weight = 1;
};

share::Program ProgramOf(const Options& options) {
  share::Program program;
  program.app =
      options.name.empty() ? fs::path(options.command[0]).filename().string() : options.name;
  program.app_class = *share::ParseAppClass(options.app_class);
  program.weight = options.weight;
  return program;
}

Result<ExitCode> Share(const Options& options) {
  if (options.command.empty() || options.command[0].empty())
    return InputError("share: say which program to start, after --; see 'cbench share --help'");
  const share::Program program = ProgramOf(options);
  CBENCH_ASSIGN(const auto gate,
                share::Gate::JoinNamed(share::MachineGatePath(), share::MachineGateOptions()));
  gate->Introduce(share::StepOf(program), true);
  CBENCH_ASSIGN(auto environment, share::PreloadEnvironment(program, gate->path()));
  const ForegroundCommand command{options.command, std::move(environment)};
  return static_cast<ExitCode>(RunInForeground(command));
}

constexpr char kFooter[] =
    "Examples:\n"
    "  cbench share --class background --weight 2 --name night -- sleep 60 &\n"
    "  cbench share -- sh -c 'cbench share status'\n"
    "  kill %1\n\n"
    "With programs that compute: cbench share --class background -- llama-server -m model.gguf\n"
    "Programs that use a shared ggml library then take turns on the device, graph by graph, under "
    "the\n"
    "policy credit (docs/share.md). Others run as if alone. The program keeps the terminal; "
    "signals\n"
    "are passed on.\n"
    "Exit code: the program's; 128 + n if signal n ended it; 127 no such program, 126 it can't be\n"
    "run, 2 wrong usage.";

}  // namespace

void AddShare(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("share", "Share the device among any programs, every day");
  auto options = std::make_shared<Options>();
  command->add_option("COMMAND", options->command, "The program to start, after --");
  command
      ->add_option("--class", options->app_class,
                   "latency: somebody waits for it; throughput; background: whenever there is time")
      ->check(CLI::IsMember({"latency", "throughput", "background"}))
      ->capture_default_str();
  command
      ->add_option("--weight", options->weight, "Its share of a contended device, beside others'")
      ->check(CLI::Range(share::kMinWeight, share::kMaxWeight))
      ->capture_default_str();
  command->add_option("--name", options->name, "What it is called; else the program's file name")
      ->check(NotEmpty());
  command->footer(kFooter);
  command->callback([command, options, &action] {
    if (command->get_subcommands().empty()) action = [options] { return Share(*options); };
  });
  AddShareStatus(*command, action);
}

}  // namespace cbench::cli
