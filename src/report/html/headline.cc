#include "report/html/headline.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text.h"

namespace cbench::report {
namespace {

constexpr std::size_t kMostNames = 4;

// "a, b and c"; of many the first few.
std::string Enumerate(std::vector<std::string> names) {
  if (names.size() > kMostNames) {
    const std::size_t more = names.size() - kMostNames + 1;
    names.resize(kMostNames - 1);
    names.push_back(fmt::format("{} more", more));
  }
  if (names.empty()) return {};
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

// What has SLOs, sorted by whether it met them all.
struct Sorted {
  std::vector<std::string> met, missed;  // missed with its attainment

  void Add(const std::string& name, const std::optional<double>& attainment) {
    if (attainment && *attainment >= 1)
      met.push_back(name);
    else
      missed.push_back(
          fmt::format("{} ({})", name, attainment ? Percent(attainment) : "nothing issued"));
  }
  bool IsEmpty() const { return met.empty() && missed.empty(); }
};

std::string Took(const RunSummary& run) {
  const std::string how = run.status == "cancelled" ? " was cancelled"
                          : run.status == "failed"  ? " failed"
                                                    : " did not come to its end";
  if (run.status != "done" || !run.makespan_s)
    return fmt::format(" The workflow{}{}.", how,
                       run.makespan_s ? " after " + Seconds(run.makespan_s) : "");
  return fmt::format(" The workflow took {}.", Seconds(run.makespan_s));
}

std::string OfRun(const RunSummary& run) {
  Sorted tasks;
  for (const auto& [name, task] : run.tasks) {
    if (!task.slo.empty()) tasks.Add(name, task.attainment);
  }
  const std::string took = Took(run);
  if (tasks.IsEmpty()) return "No task has an SLO." + took;
  if (tasks.missed.empty())
    return fmt::format("Every request of {} met its SLO.{}", Enumerate(tasks.met), took);
  if (tasks.met.empty()) return fmt::format("{} missed SLOs.{}", Enumerate(tasks.missed), took);
  return fmt::format("{} met every SLO; {} did not.{}", Enumerate(tasks.met),
                     Enumerate(tasks.missed), took);
}

Sorted AppsOf(const StrategySummary& strategy) {
  Sorted apps;
  for (const AppShare& app : strategy.apps) {
    if (app.has_slo) apps.Add(app.app, app.attainment);
  }
  return apps;
}

std::string WithMakespan(const StrategySummary& strategy) {
  if (!strategy.makespan_s.median) return strategy.strategy;
  return fmt::format("{} ({})", strategy.strategy, Seconds(strategy.makespan_s.median));
}

bool IsFaster(const StrategySummary* a, const StrategySummary* b) {
  constexpr double kNever = 1e300;
  return a->makespan_s.median.value_or(kNever) < b->makespan_s.median.value_or(kNever);
}

std::string OfStrategies(const Summary& summary) {
  std::vector<const StrategySummary*> good;
  std::vector<std::string> bad;
  for (const StrategySummary& strategy : summary.strategies) {
    const Sorted apps = AppsOf(strategy);
    if (apps.missed.empty())
      good.push_back(&strategy);
    else
      bad.push_back(
          fmt::format("under {} {} missed SLOs", strategy.strategy, Enumerate(apps.missed)));
  }
  std::stable_sort(good.begin(), good.end(), IsFaster);
  std::vector<std::string> names;
  names.reserve(good.size());
  for (const StrategySummary* strategy : good) names.push_back(WithMakespan(*strategy));
  if (bad.empty()) return fmt::format("Every SLO was met under {}.", Enumerate(names));
  if (bad.size() > 2) bad = {fmt::format("the other {} strategies missed some", bad.size())};
  if (good.empty()) return fmt::format("No strategy met every SLO: {}.", Enumerate(bad));
  return fmt::format("Every SLO was met under {}; {}.", Enumerate(names), Enumerate(bad));
}

bool HasSlo(const Summary& summary) {
  return std::any_of(summary.strategies.begin(), summary.strategies.end(),
                     [](const auto& strategy) { return !AppsOf(strategy).IsEmpty(); });
}

}  // namespace

std::string Headline(const Summary& summary) {
  if (summary.runs.empty()) return "The record holds no run.";
  if (summary.runs.size() == 1) return OfRun(summary.runs.front());
  if (summary.strategies.size() > 1 && HasSlo(summary)) return OfStrategies(summary);
  const StrategySummary* first = &summary.strategies.front();
  for (const StrategySummary& other : summary.strategies) {
    if (IsFaster(&other, first)) first = &other;
  }
  const Sorted apps = AppsOf(*first);
  std::string text = summary.strategies.size() > 1
                         ? "No task has an SLO; the fastest was " + WithMakespan(*first) + "."
                     : apps.IsEmpty()      ? "No task has an SLO."
                     : apps.missed.empty() ? "Every SLO was met in every repetition."
                                           : Enumerate(apps.missed) + " missed SLOs.";
  if (summary.strategies.size() == 1 && first->makespan_s.median)
    text += fmt::format(" The workflow took {} (median of {}).", Seconds(first->makespan_s.median),
                        first->runs);
  return text;
}

std::string MonitorHeadline(const Summary& summary, double length_s) {
  if (summary.runs.empty()) return "The record holds no run.";
  const RunSummary& run = summary.runs.front();
  if (run.tasks.empty()) return fmt::format("The device was watched for {}.", Seconds(length_s));
  const std::string& state = run.tasks.front().second.state;
  return fmt::format("The command {} after {}.", state == "running" ? "did not end" : state,
                     Seconds(length_s));
}

}  // namespace cbench::report
