// The cells, and the tables on a terminal; those of Markdown are in strategies_markdown.cc.
#include "report/writers/strategies_table.h"

#include <algorithm>
#include <functional>

#include "report/text.h"

namespace cbench::report {
namespace {

using Align = Screen::Align;

constexpr int kName = 12, kSeconds = 9, kNarrow = 8, kApp = 16;
constexpr std::size_t kAppsABlock = 4;

void Heads(Screen& screen, const char* first, const std::vector<std::string>& heads, int width) {
  screen.Column(first, kName, Align::kLeft, Style::kDim);
  for (const std::string& head : heads) screen.Column(head, width, Align::kRight, Style::kDim);
  screen.EndLine();
}

void WholeTable(Screen& screen, const Summary& summary) {
  Heads(screen, "strategy", {"makespan", "×greedy", "busy", "J attain", "J progr.", "valid"},
        kSeconds);
  for (const StrategySummary& one : summary.strategies) {
    screen.Column(one.strategy, kName, Align::kLeft, Style::kBold);
    for (const std::string& cell : {Seconds(one.makespan_s.median), MakespanRatioCell(one),
                                    BusyCell(one), Ratio(one.fairness_attainment.median),
                                    Ratio(one.fairness_progress.median), ValidCell(one)})
      screen.Column(cell, kSeconds, Align::kRight);
    screen.EndLine();
  }
}

std::string AppCell(const AppShare* app) {
  if (!app) return "—";
  return fmt::format("{} {:>9}", app->has_slo ? Percent(app->attainment) : "no SLO",
                     SlowdownCell(app->slowdown));
}

void AppsTable(Screen& screen, const Summary& summary, const std::vector<std::string>& apps) {
  Heads(screen, "", apps, kApp);
  Heads(screen, "strategy", std::vector<std::string>(apps.size(), "   met slow-down"), kApp);
  for (const StrategySummary& one : summary.strategies) {
    screen.Column(one.strategy, kName, Align::kLeft, Style::kBold);
    for (const std::string& app : apps)
      screen.Column(AppCell(FindApp(one, app)), kApp, Align::kRight);
    screen.EndLine();
  }
}

// At most four columns.
std::string Times(std::optional<double> value) {
  if (!value) return "—";
  if (*value >= 999.5) return "999+";
  if (*value >= 99.95) return fmt::format("{:.0f}", *value);
  return *value < 9.995 ? fmt::format("{:.2f}", *value) : fmt::format("{:.1f}", *value);
}

}  // namespace

bool HasComparison(const Summary& summary) {
  return summary.runs.size() > 1 || !summary.exclusive.empty();
}

const AppShare* FindApp(const StrategySummary& strategy, const std::string& app) {
  const auto found = std::find_if(strategy.apps.begin(), strategy.apps.end(),
                                  [&app](const AppShare& one) { return one.app == app; });
  return found == strategy.apps.end() ? nullptr : &*found;
}

std::string SlowdownCell(const Slowdown& slowdown) {
  const SlowdownValue value = slowdown.primary();
  if (!value.p50 && !value.p99) return "—";
  return Times(value.p50) + "/" + Times(value.p99);
}

std::string MakespanRatioCell(const StrategySummary& strategy) {
  return strategy.makespan_ratio ? "×" + Ratio(strategy.makespan_ratio) : "—";
}

std::string BusyCell(const StrategySummary& strategy) {
  std::optional<double> busiest;
  for (const auto& [device, busy] : strategy.busy)
    busiest = std::max(busiest.value_or(0), busy.median.value_or(0));
  return Percent(busiest);
}

std::string ValidCell(const StrategySummary& strategy) {
  return fmt::format("{}/{}", strategy.valid_runs, strategy.runs);
}

std::string GrainText(const StrategySummary& strategy) {
  std::string text;
  for (const auto& [engine, grain] : strategy.grain)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", engine, grain);
  return text;
}

const std::vector<std::string>& GateHead() {
  static const std::vector<std::string> kHead = {"holds",    "wait p50", "wait p99", "hold p50",
                                                 "hold p99", "hold max", "off by"};
  return kHead;
}

std::vector<std::string> GateCells(const GateUse& gate) {
  return {fmt::format("{}", gate.holds), Seconds(gate.wait.p50), Seconds(gate.wait.p99),
          Seconds(gate.hold.p50),        Seconds(gate.hold.p99), Seconds(gate.hold.max),
          Percent(gate.prediction_error)};
}

void ExclusiveBlock(Screen& screen, const Summary& summary) {
  if (summary.exclusive.empty()) return;
  screen.Paragraph("", "Each app alone", Style::kBold);
  Heads(screen, "app", {"latency", "p50", "p99", "done", "verdict"}, kSeconds);
  for (const ExclusiveSummary& one : summary.exclusive) {
    const auto found = one.metrics.find(one.primary);
    const Distribution d = found == one.metrics.end() ? Distribution{} : found->second;
    screen.Column(one.app, kName);
    screen.Column(one.primary, kSeconds, Align::kRight);
    screen.Column(Seconds(d.p50), kSeconds, Align::kRight);
    screen.Column(Seconds(d.p99), kSeconds, Align::kRight);
    screen.Column(fmt::format("{}/{}", one.completed, std::max(one.planned, one.issued)), kSeconds,
                  Align::kRight);
    screen.Column(one.verdict.valid ? "VALID" : "INVALID", kSeconds, Align::kRight,
                  one.verdict.valid ? Style::kGreen : Style::kRed);
    screen.EndLine();
  }
  screen.Blank();
}

void StrategiesBlock(Screen& screen, const Summary& summary) {
  if (!HasComparison(summary) || summary.strategies.empty()) return;
  screen.Paragraph("", "Strategies: medians; slow-down is p50/p99 relative to the app alone",
                   Style::kBold);
  WholeTable(screen, summary);
  const std::vector<AppShare>& all = summary.strategies.front().apps;
  for (std::size_t first = 0; first < all.size(); first += kAppsABlock) {
    std::vector<std::string> apps;
    for (std::size_t i = first; i < std::min(all.size(), first + kAppsABlock); ++i)
      apps.push_back(all[i].app);
    AppsTable(screen, summary, apps);
  }
  screen.Blank();
}

void GateBlock(Screen& screen, const Summary& summary) {
  bool is_first = true;
  for (const StrategySummary& one : summary.strategies) {
    if (!one.gate) continue;
    if (is_first) {
      screen.Paragraph("", "Gate: how long steps waited for the device and had it", Style::kBold);
      Heads(screen, "strategy", GateHead(), kNarrow);
    }
    is_first = false;
    screen.Column(one.strategy, kName, Align::kLeft, Style::kBold);
    for (const std::string& cell : GateCells(*one.gate))
      screen.Column(cell, kNarrow, Align::kRight);
    screen.EndLine();
  }
  if (!is_first) screen.Blank();
}

}  // namespace cbench::report
