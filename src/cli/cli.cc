#include "cli/cli.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <sstream>

#include "base/text.h"
#include "cli/command.h"
#include "scenario/suggest.h"

namespace cbench::cli {
namespace {

// Every sub-command, in the order of the help text.
constexpr void (*kCommands[])(CLI::App&, Action&) = {
    AddRun, AddCheck, AddReport, AddCompare, AddMonitor, AddDoctor, AddModel, AddServe, AddShare,
};

constexpr char kSummary[] =
    "ConsumerBench: what happens on this device when several GenAI applications run at once";

constexpr char kFooter[] = R"help(
Examples:
  cbench check scenarios/content_creation.yaml
      show what would run: engines, apps with their objectives, tasks in order
  cbench run scenarios/content_creation.yaml
      run it, show who met their objectives, leave a record under runs/
  cbench run --synthetic=demo --strategy greedy,credit scenarios/original_dialect.yaml
      run any scenario on small random models, once for each strategy
  cbench report "$(ls -dt runs/*/ | head -n 1)"
      show an earlier run again, here the last one; works on interrupted runs too
  cbench monitor -- sleep 5
      record the device's counters while any program runs
  cbench share status
      show who takes turns on the device outside a benchmark ('cbench share --help')

Exit codes: 0 fine; 1 the run failed or is INVALID; 2 wrong usage or input;
3 regression found by compare; 4 not comparable.
'cbench COMMAND --help' explains a command; docs/ explains scenarios and metrics.)help";

void SetUp(CLI::App& app, Action& action) {
  app.name("cbench");
  app.footer(kFooter);
  app.require_subcommand(1);
  app.set_version_flag("--version", CBENCH_VERSION);
  app.get_formatter()->column_width(34);
  for (const auto add : kCommands) add(app, action);
}

// A descriptor 0, 1 or 2 that whoever started us has closed would go to the next file opened, and
// notes for the terminal would end up in a record.
void FillStandardDescriptors() {
  int fd = 0;
  do fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO) close(fd);
}

// The command whose arguments were wrong, for the pointer to its help.
std::string Parsed(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? "cbench" : "cbench " + commands.front()->get_name();
}

// CLI11 says of a misspelt command only that one is required.
std::string Explain(const CLI::App& app, const CLI::ParseError& e, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.empty() || first.front() == '-' || !app.get_subcommands().empty()) return e.what();
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands(nullptr)) known.push_back(command->get_name());
  return fmt::format("unknown command {}; {}", scenario::Quote(first),
                     scenario::Suggest(first, known));
}

// "--synthetic=": CLI11 would take it for the flag alone.
std::string_view EmptyOption(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--") && word.ends_with('=')) return word;
  }
  return {};
}

// Nothing if parsing succeeded; else --help or --version was answered or the usage was wrong.
std::optional<ExitCode> ParseArguments(CLI::App& app, int argc, char** argv) {
  if (const auto empty = EmptyOption(argc, argv); !empty.empty()) {
    PrintError(Error{ErrorKind::kInput,
                     fmt::format("{} has no value; write one behind it or leave it out", empty)});
    return kUsage;
  }
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& e) {
    std::ostringstream out;
    const int code = app.exit(e, out, out);
    Print(out.str());
    return code == 0 ? kOk : kFailed;
  } catch (const CLI::ParseError& e) {
    PrintError(Error{ErrorKind::kInput,
                     fmt::format("{}; see '{} --help'", Explain(app, e, argc, argv), Parsed(app))});
    return kUsage;
  }
}

ExitCode Act(const Action& action) {
  const Result<ExitCode> code = action();
  if (code) return *code;
  PrintError(code.error());
  return ExitCodeOf(code.error());
}

int output_error = 0;  // why standard output could not be written, from the first time

// A reader that has left (head, a closed pager) has what it wanted; a full disk has not.
ExitCode Finish(ExitCode code) {
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno;
  const bool written = output_error == 0 && !std::ferror(stdout);
  if (written || output_error == EPIPE || code != kOk) return code;
  PrintError(Error{ErrorKind::kFailure, "standard output could not be written completely"});
  return kFailed;
}

}  // namespace

void Print(std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  if (written < text.size() && output_error == 0) output_error = errno;
}

void PrintJson(const Json& json) { Print(DumpJson(json, 2) + "\n"); }

void PrintNote(std::string_view text) {
  const std::string line = fmt::format("cbench: {}\n", PrintableLines(text));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void PrintError(const Error& error) { PrintNote("error: " + error.message); }

ExitCode ExitCodeOf(const Error& error) {
  return error.kind == ErrorKind::kInput ? kUsage : kFailed;
}

int Main(int argc, char** argv) {
  FillStandardDescriptors();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error of write, like a full disk
  try {
    CLI::App app{kSummary};
    Action action;
    SetUp(app, action);
    if (const auto code = ParseArguments(app, argc, argv)) return Finish(*code);
    return Finish(Act(action));
  } catch (const std::exception& e) {
    PrintError(Error{ErrorKind::kFailure, fmt::format("internal error: {}", e.what())});
    return kFailed;
  }
}

}  // namespace cbench::cli
