// cbench monitor: records the device's counters for a while, or while a program runs.
#include <unistd.h>

#include <cstdio>

#include "base/file.h"
#include "base/subprocess.h"
#include "base/units.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/record_options.h"
#include "cli/scenario_options.h"
#include "cli/terminal.h"
#include "monitor/device_facts.h"
#include "monitor/sampler.h"
#include "record/reader.h"
#include "report/summary.h"
#include "report/timeline.h"

namespace cbench::cli {
namespace {

constexpr char kTask[] = "command";  // the program's name in the record and in its series
constexpr Nanos kForever = Nanos{1} << 61;

struct Options {
  std::string duration;
  std::vector<std::string> command;
  std::string out, runs = "runs";
  double sample_rate = monitor::kDefaultRate;
  bool json = false;
};

Result<Nanos> Duration(const Options& options) {
  if (options.duration.empty()) return 0;
  const auto duration = ParseDuration(options.duration);
  if (!duration || *duration <= 0)
    return InputError("--for: {} is not a duration; write 30s, 2m or 1h", options.duration);
  return *duration;
}

Result<std::unique_ptr<record::Writer>> MakeWriter(const Options& options) {
  record::Header header;
  header.name = options.command.empty()
                    ? "monitor"
                    : "monitor-" + std::filesystem::path(options.command[0]).filename().string();
  header.scenario = {{"name", header.name}, {"monitor", true}};
  header.started_utc = UtcNow();
  header.clock_base = Now();
  header.device = monitor::DeviceFacts();
  header.cbench_version = CBENCH_VERSION;
  header.command = CommandLine();
  return record::Writer::Create(options.runs, options.out, header);
}

// One recording: what is watched, and how it ends.
class Recording {
 public:
  Recording(const Options& options, record::Writer& writer, Cancel& cancel)
      : options_(options), writer_(writer), cancel_(cancel) {}

  // Watches until the duration is over, the command has ended or the user stops it; whether that
  // was as asked for and the command succeeded.
  Result<bool> Run(Nanos duration) {
    writer_.OnError([this](const Error& error) {
      PrintNote("stopping: " + error.message);
      cancel_.Trigger();
    });
    writer_.Append({Now(), record::RunStart{"monitor", 0}});
    Result<bool> good = options_.command.empty() ? Wait(duration) : WatchCommand();
    const char* status = !good ? "failed" : cancel_.IsTriggered() ? "cancelled" : "done";
    writer_.Append({Now(), record::RunEnd{status}});
    CBENCH_TRY(writer_.Close());
    return good;
  }

 private:
  monitor::SamplerOptions SamplerOptions() const {
    monitor::SamplerOptions options;
    options.rate = options_.sample_rate;
    options.note = [](std::string_view note) { PrintNote(note); };
    return options;
  }

  // Without a duration Ctrl-C is how it ends.
  bool Wait(Nanos duration) {
    const monitor::Sampler sampler(writer_, monitor::RealSystem(), SamplerOptions());
    const Nanos end = duration > 0 ? Now() + duration : kForever;
    return !cancel_.WaitUntil(end) || duration == 0;
  }

  Result<bool> WatchCommand() {
    Cancel over;  // the command's end or the user's wish
    SubprocessOptions child;
    child.argv = options_.command;
    child.log = writer_.LogPath(kTask);
    child.on_line = [](std::string_view line) { PrintLine(line); };
    child.on_exit = [&over](const Exit&) { over.Trigger(); };
    CBENCH_ASSIGN(const auto process, Subprocess::Start(std::move(child)));
    writer_.Append({Now(), record::TaskEvent{kTask, "started", ""}});
    {
      const monitor::Sampler sampler(writer_, monitor::RealSystem({{kTask, process->pid()}}),
                                     SamplerOptions());
      const auto token = cancel_.Subscribe([&over] { over.Trigger(); });
      over.WaitUntil(kForever);
      cancel_.Unsubscribe(token);
      process->Stop();
    }
    return Finish(process->exit().value_or(Exit()));
  }

  // What the command prints is shown as if it ran by itself, but standard output is for results.
  static void PrintLine(std::string_view line) {
    std::fwrite(line.data(), 1, line.size(), stderr);
    std::fputc('\n', stderr);
  }

  bool Finish(const Exit& exit) {
    const bool good = !exit.signalled && exit.code == 0, stopped = cancel_.IsTriggered();
    const char* state = stopped ? "cancelled" : good ? "finished" : "failed";
    writer_.Append({Now(), record::TaskEvent{kTask, state, good ? "" : exit.ToString()}});
    if (!good && !stopped) PrintNote(fmt::format("{}: {}", options_.command[0], exit.ToString()));
    return good && !stopped;
  }

  const Options& options_;
  record::Writer& writer_;
  Cancel& cancel_;
};

Result<> Show(const std::filesystem::path& directory, bool json) {
  CBENCH_ASSIGN(const auto record, record::Read(directory));
  const report::Timeline timeline = report::ReadTimeline(record, 1);
  if (json)
    PrintJson(report::ToJson(timeline));
  else
    Print(report::ToTerminal(timeline, UseColor(STDOUT_FILENO)));
  return report::WriteMonitorReports(record);
}

Result<ExitCode> Monitor(const Options& options) {
  CBENCH_ASSIGN(const Nanos duration, Duration(options));
  Cancel cancel;
  const Interrupt interrupt(cancel);
  CBENCH_ASSIGN(const auto writer, MakeWriter(options));
  PrintNote("record: " + writer->directory().string());
  const Result<bool> good = Recording(options, *writer, cancel).Run(duration);
  CBENCH_TRY(good);
  CBENCH_TRY(Show(writer->directory(), options.json));
  return *good ? kOk : kFailed;
}

}  // namespace

void AddMonitor(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand(
      "monitor", "Record the device's counters for a while or while a program runs");
  auto options = std::make_shared<Options>();
  auto* duration =
      command->add_option("--for", options->duration, "How long, such as 30s; else until Ctrl-C")
          ->check(NotEmpty())
          ->type_name("TIME");
  command->add_option("COMMAND", options->command, "A program to start and to watch, after --")
      ->excludes(duration);
  AddSampleRate(*command, options->sample_rate);
  AddRecordFolder(*command, options->runs, options->out);
  command->add_flag("--json", options->json, "Print JSON on stdout instead of the table");
  command->footer(
      "Examples:\n"
      "  cbench monitor --for 30s\n"
      "  cbench monitor --json -- sh -c 'head -c 1G /dev/urandom | sha256sum' > timeline.json\n\n"
      "The record stays in runs/monitor-…/, also after Ctrl-C, with the curves in report.html; "
      "'cbench "
      "report DIR'\nreads it again. What the program prints goes to stderr and into "
      "logs/command.log; it "
      "has no standard input.\ndocs/monitor.md lists the series, 'cbench doctor' those of this "
      "device.\n"
      "Exit code: 0 fine, 1 the program failed or was stopped early, 2 wrong usage or input.");
  command->callback([options, &action] { action = [options] { return Monitor(*options); }; });
}

}  // namespace cbench::cli
