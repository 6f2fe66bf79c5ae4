// report.md, fit for a pull request. Everything that comes from outside (names, messages,
// versions) goes through Escape.
#include <algorithm>

#include "report/rows.h"
#include "report/summary.h"
#include "report/text.h"
#include "report/writers/escape.h"
#include "report/writers/strategies_table.h"

namespace cbench::report {
namespace {

constexpr std::size_t kMaxValue = 200;

void Heading(std::string& out, int level, const std::string& text, const Verdict& verdict) {
  out += fmt::format("{} {}: {}\n\n", std::string(static_cast<std::size_t>(level), '#'),
                     Escape(text), verdict.valid ? "VALID" : "INVALID");
}

void List(std::string& out, const std::string& title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  if (!title.empty()) out += fmt::format("## {}\n\n", title);
  for (const std::string& item : items) out += fmt::format("- {}\n", Escape(item));
  out += '\n';
}

std::string AttainmentText(const TaskSummary& task) {
  if (task.slo.empty()) return "no SLO";
  if (!task.attainment || !task.attainment_ci95) return "—";
  return fmt::format("{} [{:.0f}, {:.0f}]", Percent(task.attainment),
                     task.attainment_ci95->first * 100, task.attainment_ci95->second * 100);
}

void TaskRows(std::string& out, const std::string& name, const TaskSummary& task) {
  out += fmt::format("| **{}** | {} | | | | {}/{} | {} |\n", Escape(name), Escape(task.state),
                     task.completed, std::max(task.planned, task.issued), AttainmentText(task));
  for (const MetricRow& row : MetricRows(task)) {
    out += fmt::format("| {} | {} | {} | {} | {} | {} | |\n", Escape(row.label),
                       row.slo ? "≤ " + Seconds(row.slo->target_s) : "", Seconds(row.latency->p50),
                       Seconds(row.latency->p95), Seconds(row.latency->p99),
                       row.slo ? fmt::format("{}/{}", row.slo->met, task.issued) : "");
  }
}

void RunSection(std::string& out, const Summary& summary, const RunSummary& run) {
  Heading(out, 2, RunTitle(summary, run), run.verdict);
  List(out, "", run.verdict.reasons);
  out += "| task | target | p50 | p95 | p99 | done, met | attainment [95 %] |\n";
  out += "|---|---|---:|---:|---:|---:|---|\n";
  for (const auto& [name, task] : run.tasks) TaskRows(out, name, task);
  out += fmt::format("\nMakespan {}, fairness of attainment {}", Seconds(run.makespan_s),
                     Ratio(run.fairness_attainment));
  if (run.fairness_progress) out += ", of progress " + Ratio(run.fairness_progress);
  out += ".\n\n";
  if (run.doubts.empty()) return;
  out += "Doubts:\n\n";
  List(out, "", run.doubts);
}

// "key: value" of each member; a nested one as JSON, cut to a readable length.
std::vector<std::string> Members(const Json& object) {
  std::vector<std::string> lines;
  for (const auto& [key, value] : object.items()) {
    std::string text = value.is_string() ? value.get<std::string>() : DumpJson(value);
    if (text.size() > kMaxValue) text.replace(kMaxValue, std::string::npos, "…");
    lines.push_back(fmt::format("{}: {}", key, text));
  }
  return lines;
}

}  // namespace

std::string ToMarkdown(const Summary& summary) {
  std::string out;
  Heading(out, 1, summary.scenario, summary.verdict);
  out += fmt::format("Started {}, cbench {}.\n\n", Escape(summary.started_utc),
                     Escape(summary.cbench_version));
  if (summary.runs.size() != 1) List(out, "", summary.verdict.reasons);
  out += StrategiesSection(summary) + ExclusiveSection(summary) + GateSection(summary);
  for (const RunSummary& run : summary.runs) RunSection(out, summary, run);
  List(out, "Doubts about the whole", summary.doubts);
  std::vector<std::string> notes = summary.notes;
  if (HasWithheld(summary)) notes.emplace_back(kWithheld);
  List(out, "Notes", notes);
  List(out, "Device", Members(summary.device));
  List(out, "Not monitored", MissingProbes(summary.probes));
  List(out, "Engines", Members(summary.engines));
  return out;
}

}  // namespace cbench::report
