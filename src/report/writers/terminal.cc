// The table at the end of `cbench run` and of `cbench report`.
#include <algorithm>
#include <cmath>

#include "report/rows.h"
#include "report/summary.h"
#include "report/text.h"
#include "report/writers/screen.h"
#include "report/writers/strategies_table.h"

namespace cbench::report {
namespace {

using Align = Screen::Align;

// task or metric | target | p50 | p95 | done or met | attainment
constexpr int kName = 20, kTarget = 8, kLatency = 8, kCount = 9, kAttainment = 22;
constexpr int kState = kTarget + 2 * kLatency + 2;
constexpr std::size_t kRunsShown = 2;  // of more, the strategies say what matters

Style StyleOf(const Verdict& verdict) { return verdict.valid ? Style::kGreen : Style::kRed; }
const char* Word(const Verdict& verdict) { return verdict.valid ? "VALID" : "INVALID"; }

std::string Bar(double share) {
  constexpr int kCells = 5;
  // A full bar only for all, an empty one only for none.
  int filled = static_cast<int>(std::lround(share * kCells));
  if (share < 1) filled = std::min(filled, kCells - 1);
  if (share > 0) filled = std::max(filled, 1);
  std::string bar;
  for (int i = 0; i < kCells; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

std::string AttainmentText(const TaskSummary& task) {
  if (task.slo.empty()) return "no SLO";
  if (!task.attainment || !task.attainment_ci95) return "—";
  const auto [low, high] = *task.attainment_ci95;
  return fmt::format("{} {} [{:.0f}, {:.0f}]", Bar(*task.attainment), Percent(task.attainment),
                     low * 100, high * 100);
}

void TaskLine(Screen& screen, const std::string& name, const TaskSummary& task) {
  const bool finished = task.state == "finished";
  screen.Column(name, kName, Align::kLeft, Style::kBold);
  screen.Column(finished ? "" : task.state, kState, Align::kLeft, Style::kRed);
  screen.Column(fmt::format("{}/{}", task.completed, std::max(task.planned, task.issued)), kCount,
                Align::kRight);
  screen.Column(AttainmentText(task), kAttainment);
  screen.EndLine();
}

void MetricLine(Screen& screen, const MetricRow& row, const TaskSummary& task) {
  screen.Column("  " + row.label, kName);
  screen.Column(row.slo ? "≤ " + Seconds(row.slo->target_s) : "", kTarget, Align::kRight);
  screen.Column(Seconds(row.latency->p50), kLatency, Align::kRight);
  screen.Column(Seconds(row.latency->p95), kLatency, Align::kRight);
  screen.Column(row.slo ? fmt::format("{}/{}", row.slo->met, task.issued) : "", kCount,
                Align::kRight);
  screen.EndLine();
}

void TableHead(Screen& screen) {
  screen.Column("task", kName, Align::kLeft, Style::kDim);
  screen.Column("target", kTarget, Align::kRight, Style::kDim);
  screen.Column("p50", kLatency, Align::kRight, Style::kDim);
  screen.Column("p95", kLatency, Align::kRight, Style::kDim);
  screen.Column("done, met", kCount, Align::kRight, Style::kDim);
  screen.Column("attainment [95 %]", kAttainment, Align::kLeft, Style::kDim);
  screen.EndLine();
}

void VerdictLine(Screen& screen, const std::string& title, const Verdict& verdict) {
  screen.Column(title, Screen::kColumns - 8, Align::kLeft, Style::kBold);
  screen.Column(Word(verdict), 7, Align::kRight, StyleOf(verdict));
  screen.EndLine();
}

void RunBlock(Screen& screen, const Summary& summary, const RunSummary& run) {
  const bool alone = summary.runs.size() == 1;
  VerdictLine(screen, RunTitle(summary, run), run.verdict);
  TableHead(screen);
  for (const auto& [name, task] : run.tasks) {
    TaskLine(screen, name, task);
    if (!alone) continue;
    for (const MetricRow& row : MetricRows(task)) MetricLine(screen, row, task);
  }
  std::string line = "makespan " + Seconds(run.makespan_s);
  if (run.fairness_attainment) line += ", fairness of attainment " + Ratio(run.fairness_attainment);
  if (run.fairness_progress) line += ", of progress " + Ratio(run.fairness_progress);
  screen.Paragraph("", line);
  for (const std::string& reason : run.verdict.reasons)
    screen.Paragraph("  INVALID: ", reason, Style::kRed);
  screen.Blank();
}

// Each doubt once, though several runs may share it.
std::vector<std::string> AllDoubts(const Summary& summary) {
  std::vector<std::string> doubts = summary.doubts;
  for (const ExclusiveSummary& one : summary.exclusive) {
    for (const std::string& doubt : one.doubts)
      doubts.push_back(fmt::format("{} alone: {}", one.app, doubt));
  }
  for (const RunSummary& run : summary.runs) {
    for (const std::string& doubt : run.doubts) {
      if (std::find(doubts.begin(), doubts.end(), doubt) == doubts.end()) doubts.push_back(doubt);
    }
  }
  return doubts;
}

void Footer(Screen& screen, const Summary& summary) {
  const auto doubts = AllDoubts(summary);
  if (!doubts.empty()) screen.Paragraph("", "Doubts", Style::kYellow);
  for (const std::string& doubt : doubts) screen.Paragraph("  - ", doubt);
  std::vector<std::string> notes = summary.notes;
  if (HasWithheld(summary)) notes.emplace_back(kWithheld);
  if (!notes.empty()) screen.Paragraph("", "Notes", Style::kBold);
  for (const std::string& note : notes) screen.Paragraph("  - ", note);
}

}  // namespace

std::string ToTerminal(const Summary& summary, bool color) {
  Screen screen(color);
  VerdictLine(screen, summary.scenario, summary.verdict);
  screen.Paragraph("",
                   fmt::format("{}, started {}, cbench {}", summary.directory, summary.started_utc,
                               summary.cbench_version),
                   Style::kDim);
  screen.Blank();
  if (summary.runs.size() != 1 || !summary.exclusive.empty()) {
    // With one run and nothing else its own block says the same.
    for (const std::string& reason : summary.verdict.reasons)
      screen.Paragraph("  INVALID: ", reason, Style::kRed);
    if (!summary.verdict.valid) screen.Blank();
  }
  StrategiesBlock(screen, summary);
  ExclusiveBlock(screen, summary);
  GateBlock(screen, summary);
  if (summary.runs.size() <= kRunsShown) {
    for (const RunSummary& run : summary.runs) RunBlock(screen, summary, run);
  }
  Footer(screen, summary);
  return screen.Take();
}

}  // namespace cbench::report
