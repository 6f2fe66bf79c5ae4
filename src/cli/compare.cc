// cbench compare: records side by side, with an exit code that a build can act on.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "cli/command.h"
#include "cli/scenario_options.h"
#include "cli/terminal.h"
#include "record/reader.h"
#include "report/compare/comparison.h"

namespace cbench::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> sides;
  std::string html;  // a file; empty: none
  bool json = false, markdown = false, no_color = false;
};

bool IsRecord(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path / "run.json", error);
}

// The record itself, or all that stand in the folder, by name.
Result<std::vector<fs::path>> RecordsIn(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    return InputError("{}: no such folder; name a record, or a folder of records", path.string());
  if (IsRecord(path)) return std::vector{path};
  std::vector<fs::path> records;
  for (auto entry = fs::directory_iterator(path, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (IsRecord(entry->path())) records.push_back(entry->path());
  }
  if (error) return InputError("{}: {}", path.string(), error.message());
  if (records.empty())
    return InputError("{}: neither a record nor a folder of records", path.string());
  std::sort(records.begin(), records.end());
  return records;
}

Result<> AddRecord(const fs::path& path, report::Evidence& evidence) {
  CBENCH_ASSIGN(const record::Record record, record::Read(path));
  if (record.torn)
    return InputError("{}: cut off, so the run was interrupted; run it again", path.string());
  report::AddRecord(record, evidence);
  return {};
}

// "DIR" or "DIR:STRATEGY"; a folder may have a colon in its name.
Result<report::Evidence> Load(const std::string& side) {
  std::error_code error;
  const std::size_t colon = side.rfind(':');
  const bool selects = colon != std::string::npos && !fs::exists(side, error);
  CBENCH_ASSIGN(const auto records, RecordsIn(selects ? side.substr(0, colon) : side));
  report::Evidence evidence;
  for (const fs::path& path : records) CBENCH_TRY(AddRecord(path, evidence));
  if (selects) evidence = report::OnlyStrategy(evidence, side.substr(colon + 1));
  evidence.label = side;
  if (evidence.repetitions.empty())
    return InputError("{}: holds no run{}", side, selects ? " under this strategy" : "");
  return evidence;
}

// Of a single side its strategies are compared, the first that ran being the baseline.
Result<std::vector<report::Evidence>> LoadAll(const std::vector<std::string>& names) {
  std::vector<report::Evidence> sides;
  for (const std::string& name : names) {
    CBENCH_ASSIGN(auto side, Load(name));
    sides.push_back(std::move(side));
  }
  if (sides.size() > 1) return sides;
  const report::Evidence one = std::move(sides.front());
  sides.clear();
  for (const std::string& strategy : report::StrategiesOf(one)) {
    sides.push_back(report::OnlyStrategy(one, strategy));
    sides.back().label = strategy;
  }
  if (sides.size() < 2)
    return InputError("{}: ran under one strategy; name a second record", names.front());
  return sides;
}

ExitCode CodeOf(report::Outcome outcome) {
  constexpr ExitCode kCodes[] = {kOk, kRegression, kNotComparable};
  return kCodes[static_cast<int>(outcome)];
}

Result<ExitCode> Compare(const Options& options) {
  CBENCH_ASSIGN(const auto sides, LoadAll(options.sides));
  const report::Comparison comparison = report::Compare(sides);
  if (!options.html.empty()) CBENCH_TRY(WriteFileAtomic(options.html, report::ToHtml(comparison)));
  if (options.json)
    PrintJson(report::ToJson(comparison));
  else if (options.markdown)
    Print(report::ToMarkdown(comparison));
  else
    Print(report::ToTerminal(comparison, !options.no_color && UseColor(STDOUT_FILENO)));
  return CodeOf(comparison.outcome);
}

}  // namespace

void AddCompare(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "compare", "Say what changed between records, and fail if it is a regression");
  command
      ->add_option("SIDE", options->sides,
                   "A record or a folder of records, pooled; SIDE:STRATEGY takes one strategy. The "
                   "first is the baseline; of a single one its strategies are compared")
      ->required();
  auto* json = command->add_flag("--json", options->json, "Print JSON instead of the table");
  command->add_flag("--markdown", options->markdown, "Print Markdown, for a pull request")
      ->excludes(json);
  command->add_option("--html", options->html, "Write a page beside that, for a browser")
      ->check(NotEmpty())
      ->type_name("FILE");
  command->add_flag("--no-color", options->no_color, "No colour, also on a terminal");
  command->footer(
      "Examples:\n"
      "  cbench run --synthetic=demo --repeat 3 --strategy greedy,tamed --out both "
      "scenarios/original_dialect.yaml\n"
      "  cbench compare both || [ $? -ge 3 ]\n"
      "  cbench compare both:greedy both:tamed --markdown || [ $? -ge 3 ]\n\n"
      "docs/compare.md says when a change is one, docs/ci.md how to use this as a gate.\n"
      "Exit code: 0 no regression, 3 regression, 4 not comparable, 2 wrong usage or input, 1 the "
      "page "
      "could not be written.");
  command->callback([&action, options] { action = [options] { return Compare(*options); }; });
}

}  // namespace cbench::cli
