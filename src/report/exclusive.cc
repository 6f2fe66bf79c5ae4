#include "report/exclusive.h"

#include <algorithm>

#include "report/key_latency.h"
#include "report/verdict.h"

namespace cbench::report {
namespace {

using Pool = std::map<std::string, Samples>;

constexpr char kNotAlone[] = "the app was not run alone";

ExclusiveSummary& Find(std::vector<ExclusiveSummary>& all, const std::string& app,
                       const Plan& plan) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.app == app; });
  if (found != all.end()) return *found;
  ExclusiveSummary& added = all.emplace_back();
  const auto planned = plan.apps.find(app);
  added.app = app;
  if (planned != plan.apps.end()) added.type = planned->second.type;
  added.primary = KeyLatencies(added.type).front();
  return added;
}

void AddTask(const SummarizedTask& task, ExclusiveSummary& summary, Pool& pool) {
  summary.planned += task.summary.planned;
  summary.issued += task.summary.issued;
  summary.completed += task.summary.completed;
  summary.met += task.summary.met;
  for (const auto& [metric, samples] : task.samples) pool[metric].Add(samples);
}

void AddOnce(const std::vector<std::string>& more, std::vector<std::string>& texts) {
  for (const std::string& text : more) {
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
}

void AddVerdict(const JudgedRun& run, ExclusiveSummary& summary) {
  for (const std::string& reason : JudgeRun(run).reasons) {
    summary.verdict.reasons.push_back(
        fmt::format("repetition {}: {}", run.facts.repeat + 1, reason));
  }
  summary.verdict.valid = summary.verdict.reasons.empty();
}

void Describe(ExclusiveSummary& summary, Pool& pool, const Plan& plan) {
  for (auto& [metric, samples] : pool) {
    if (samples.count() > 0) summary.metrics[metric] = samples.Describe();
  }
  const auto app = plan.apps.find(summary.app);
  if (app != plan.apps.end() && !app->second.slo.empty() && summary.issued > 0)
    summary.attainment = static_cast<double>(summary.met) / summary.issued;
}

std::optional<double> Quotient(std::optional<double> shared, std::optional<double> alone) {
  if (!shared || !alone || *alone <= 0) return std::nullopt;
  return *shared / *alone;
}

SlowdownValue Compare(const std::string& metric, const Distribution& shared,
                      const Distribution& alone) {
  SlowdownValue value{Quotient(shared.p50, alone.p50), Quotient(shared.p99, alone.p99), {}};
  if (alone.samples == 0)
    value.reason = fmt::format("alone, nothing gave {}", metric);
  else if (shared.samples == 0)
    value.reason = fmt::format("nothing gave {}", metric);
  else if (!value.p50)
    value.reason = fmt::format("alone, the median of {} is 0", metric);
  else if (!value.p99)
    value.reason = fmt::format("p99 needs {} samples of {} on both sides: there are {}, alone {}",
                               kFloorP99, metric, shared.samples, alone.samples);
  return value;
}

Distribution Of(const std::map<std::string, Distribution>& metrics, const std::string& metric) {
  const auto found = metrics.find(metric);
  return found == metrics.end() ? Distribution{} : found->second;
}

}  // namespace

std::vector<ExclusiveSummary> SummarizeExclusive(std::vector<JudgedRun>& runs, const Plan& plan) {
  std::vector<ExclusiveSummary> all;
  for (const PlannedTask& task : plan.tasks) Find(all, task.app, plan);
  std::map<std::string, Pool> pools;
  for (JudgedRun& run : runs) {
    ExclusiveSummary& summary = Find(all, run.facts.alone, plan);
    ++summary.runs;
    for (const SummarizedTask& task : run.tasks) AddTask(task, summary, pools[summary.app]);
    AddVerdict(run, summary);
    AddOnce(Doubts(run), summary.doubts);
  }
  std::erase_if(all, [](const ExclusiveSummary& one) { return one.runs == 0; });
  for (ExclusiveSummary& summary : all) Describe(summary, pools[summary.app], plan);
  return all;
}

Baseline MakeBaseline(const std::vector<ExclusiveSummary>& exclusive) {
  Baseline baseline;
  for (const ExclusiveSummary& one : exclusive) baseline[one.app] = &one;
  return baseline;
}

Slowdown CompareToAlone(const std::string& app, const std::string& app_type,
                        const std::map<std::string, Distribution>& metrics,
                        const Baseline& baseline) {
  const std::vector<std::string>& keys = KeyLatencies(app_type);
  Slowdown slowdown{keys.front(), {}};
  const auto alone = baseline.find(app);
  if (alone == baseline.end()) return slowdown;
  for (const std::string& metric : keys)
    slowdown.by_metric[metric] =
        Compare(metric, Of(metrics, metric), Of(alone->second->metrics, metric));
  return slowdown;
}

SlowdownValue Slowdown::primary() const {
  const auto found = by_metric.find(metric);
  return found == by_metric.end() ? SlowdownValue{{}, {}, kNotAlone} : found->second;
}

}  // namespace cbench::report
