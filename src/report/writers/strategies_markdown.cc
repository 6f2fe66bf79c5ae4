// The sections of report.md about several runs together.
#include "report/text.h"
#include "report/writers/escape.h"
#include "report/writers/strategies_table.h"

namespace cbench::report {
namespace {

void Row(std::string& out, const std::vector<std::string>& cells) {
  out += '|';
  for (const std::string& cell : cells) out += fmt::format(" {} |", cell);
  out += '\n';
}

// The first `texts` columns hold words, the others numbers.
void Head(std::string& out, const std::vector<std::string>& cells, std::size_t texts = 1) {
  Row(out, cells);
  out += '|';
  for (std::size_t i = 0; i < cells.size(); ++i) out += i < texts ? "---|" : "---:|";
  out += '\n';
}

std::string MetCell(const AppShare& app) {
  if (!app.has_slo) return "no SLO";
  if (!app.attainment_ci95) return "—";
  return fmt::format("{} [{:.0f}, {:.0f}]", Percent(app.attainment),
                     app.attainment_ci95->first * 100, app.attainment_ci95->second * 100);
}

std::string RateCell(const AppShare& app) {
  return app.requests_per_min ? fmt::format("{:.3g}", *app.requests_per_min) : "—";
}

// "4.92 s [4.89, 4.94]", both in seconds, from two repetitions on.
std::string MakespanCell(const StrategySummary& strategy) {
  const Repeated& makespan = strategy.makespan_s;
  if (strategy.runs < 2 || !makespan.low || !makespan.high) return Seconds(makespan.median);
  return fmt::format("{} [{}, {}]", Seconds(makespan.median), Seconds(makespan.low),
                     Seconds(makespan.high));
}

void AppTable(std::string& out, const Summary& summary) {
  Head(out,
       {"strategy", "app", "met [95 %]", "latency", "p50", "p99", "slow-down p50/p99",
        "requests/min"},
       2);
  for (const StrategySummary& one : summary.strategies) {
    for (const AppShare& app : one.apps) {
      Row(out, {Escape(one.strategy), Escape(app.app), MetCell(app), Escape(app.primary),
                Seconds(app.latency.p50), Seconds(app.latency.p99), SlowdownCell(app.slowdown),
                RateCell(app)});
    }
  }
}

}  // namespace

std::string ExclusiveSection(const Summary& summary) {
  if (summary.exclusive.empty()) return {};
  std::string out = "## Each app alone\n\n";
  Head(out, {"app", "latency", "p50", "p95", "p99", "samples", "done", "verdict"});
  for (const ExclusiveSummary& one : summary.exclusive) {
    const auto found = one.metrics.find(one.primary);
    const Distribution d = found == one.metrics.end() ? Distribution{} : found->second;
    Row(out, {Escape(one.app), Escape(one.primary), Seconds(d.p50), Seconds(d.p95), Seconds(d.p99),
              fmt::format("{}", d.samples),
              fmt::format("{}/{}", one.completed, std::max(one.planned, one.issued)),
              one.verdict.valid ? "VALID" : "INVALID"});
  }
  return out + '\n';
}

std::string StrategiesSection(const Summary& summary) {
  if (!HasComparison(summary) || summary.strategies.empty()) return {};
  std::string out = "## Strategies\n\nMedians and ranges over repetitions.\n\n";
  std::vector<std::string> head = {"strategy", "makespan", "×greedy", "busy"};
  const std::vector<AppShare>& apps = summary.strategies.front().apps;
  for (const AppShare& app : apps) head.push_back(Escape(app.app));
  head.insert(head.end(), {"fairness of attainment", "of progress", "valid runs"});
  Head(out, head);
  for (const StrategySummary& one : summary.strategies) {
    std::vector<std::string> cells = {Escape(one.strategy), MakespanCell(one),
                                      MakespanRatioCell(one), BusyCell(one)};
    for (const AppShare& column : apps) {
      const AppShare* app = FindApp(one, column.app);
      cells.push_back(!app ? "—" : app->has_slo ? Percent(app->attainment) : "no SLO");
    }
    cells.insert(cells.end(), {Ratio(one.fairness_attainment.median),
                               Ratio(one.fairness_progress.median), ValidCell(one)});
    Row(out, cells);
  }
  out += "\nEach app, its requests of all repetitions together:\n\n";
  AppTable(out, summary);
  return out + '\n';
}

std::string GateSection(const Summary& summary) {
  std::string out;
  for (const StrategySummary& one : summary.strategies) {
    if (!one.gate) continue;
    if (out.empty()) {
      std::vector<std::string> head = {"strategy"};
      head.insert(head.end(), GateHead().begin(), GateHead().end());
      head.insert(head.end(), {"longer than predicted", "grain"});
      out = "## Gate\n\nHow long steps waited for the device, and how long they had it.\n\n";
      Head(out, head);
    }
    std::vector<std::string> cells = {Escape(one.strategy)};
    for (std::string& cell : GateCells(*one.gate)) cells.push_back(std::move(cell));
    cells.push_back(Percent(one.gate->above_prediction));
    cells.push_back(Escape(GrainText(one)));
    Row(out, cells);
  }
  return out.empty() ? out : out + '\n';
}

}  // namespace cbench::report
