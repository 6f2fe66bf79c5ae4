// cbench report DIR: computes everything anew from a record, on any machine.
#include <unistd.h>

#include <memory>

#include "cli/command.h"
#include "cli/terminal.h"
#include "record/reader.h"
#include "report/summary.h"
#include "report/timeline.h"

namespace cbench::cli {
namespace {

struct Options {
  std::string directory;
  bool json = false, no_color = false;
};

// What `cbench monitor` has recorded has no verdict.
ExitCode ShowTimeline(const record::Record& record, const Options& options) {
  const report::Timeline timeline = report::ReadTimeline(record, 1);
  if (options.json)
    PrintJson(report::ToJson(timeline));
  else
    Print(report::ToTerminal(timeline, !options.no_color && UseColor(STDOUT_FILENO)));
  return kOk;
}

Result<ExitCode> Report(const Options& options) {
  CBENCH_ASSIGN(const record::Record record, record::Read(options.directory));
  if (report::IsMonitor(record)) return ShowTimeline(record, options);
  const report::Summary summary = report::Compute(record);
  const std::string text =
      options.json ? DumpJson(report::ToJson(summary), 2) + '\n'
                   : report::ToTerminal(summary, !options.no_color && UseColor(STDOUT_FILENO));
  Print(text);
  // A record on read-only media is still worth reading, so this is a warning.
  if (const auto written = report::WriteReports(summary, record); !written)
    PrintNote("report files were not written: " + written.error().message);
  return summary.verdict.valid ? kOk : kFailed;
}

}  // namespace

void AddReport(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report",
                                         "Recompute a record's metrics; print them, rewrite its "
                                         "report.html, trace.json.gz and other reports");
  command->add_option("DIR", options->directory, "Record directory, e.g. runs/NAME-TIME-ID")
      ->required();
  command->add_flag("--json", options->json, "Print summary.json instead of the table");
  command->add_flag("--no-color", options->no_color, "No colour, also on a terminal");
  command->footer(
      "Example:\n  cbench report \"$(ls -dt runs/*/ | head -n 1)\" --json | jq .verdict\n\nExit "
      "code: 0 VALID, 1 "
      "INVALID, 2 not a readable record.");
  command->callback([&action, options] { action = [options] { return Report(*options); }; });
}

}  // namespace cbench::cli
