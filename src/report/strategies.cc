#include "report/strategies.h"

#include <algorithm>

#include "report/gate.h"
#include "report/intervals.h"
#include "report/key_latency.h"

namespace cbench::report {
namespace {

// Samples of the metrics that slow-downs are made of.
using Pool = std::map<std::string, Samples>;

void AddKeys(const SummarizedTask& task, Pool& pool) {
  for (const std::string& metric : KeyLatencies(task.summary.type)) {
    const auto found = task.samples.find(metric);
    if (found != task.samples.end()) pool[metric].Add(found->second);
  }
}

std::map<std::string, Distribution> Describe(Pool& pool) {
  std::map<std::string, Distribution> metrics;
  for (auto& [metric, samples] : pool) metrics[metric] = samples.Describe();
  return metrics;
}

// One strategy's runs while they are pooled.
class Pooled {
 public:
  Pooled(std::string strategy, const Plan& plan, const Baseline& baseline)
      : plan_(plan), baseline_(baseline) {
    summary_.strategy = std::move(strategy);
  }

  const std::string& strategy() const { return summary_.strategy; }

  void Add(const JudgedRun& judged, const RunSummary& run) {
    ++summary_.runs;
    summary_.valid_runs += run.verdict.valid;
    AddQuantities(run);
    std::map<std::string, Intervals> active;
    for (std::size_t i = 0; i < judged.tasks.size(); ++i) {
      const TaskFacts& facts = judged.facts.tasks[i];
      AddTask(facts.plan.name, judged.tasks[i]);
      if (facts.start && facts.end) active[facts.plan.app].emplace_back(*facts.start, *facts.end);
    }
    for (auto& [app, intervals] : active)
      active_s_[app] += ToSeconds(Length(Union(std::move(intervals))));
    for (const record::Step* step : judged.facts.steps) {
      gate_.Add(*step);
      gate_apps_[step->app].Add(*step);
    }
  }

  StrategySummary Finish() {
    summary_.makespan_s = OverRepetitions(makespans_);
    summary_.fairness_attainment = OverRepetitions(attainments_);
    summary_.fairness_progress = OverRepetitions(progress_);
    for (const auto& [device, values] : busy_) summary_.busy[device] = OverRepetitions(values);
    for (AppShare& app : summary_.apps) FinishApp(app);
    for (auto& [task, slowdown] : summary_.tasks) {
      slowdown = CompareToAlone(task_app_[task].first, task_app_[task].second,
                                Describe(task_pools_[task]), baseline_);
    }
    FinishGate();
    return std::move(summary_);
  }

 private:
  void AddQuantities(const RunSummary& run) {
    if (run.makespan_s) makespans_.push_back(*run.makespan_s);
    if (run.fairness_attainment) attainments_.push_back(*run.fairness_attainment);
    if (run.fairness_progress) progress_.push_back(*run.fairness_progress);
    summary_.fairness_progress_reason = progress_.empty() ? run.fairness_progress_reason : "";
    for (const auto& [device, busy] : run.device.busy) busy_[device].push_back(busy);
    if (!run.device.source.empty()) summary_.busy_source = run.device.source;
    summary_.busy_reason = busy_.empty() ? run.device.reason : "";
  }

  void AddTask(const std::string& name, const SummarizedTask& task) {
    AppShare& app = AppOf(task.summary);
    app.has_slo |= !task.summary.slo.empty();
    app.issued += task.summary.issued;
    app.completed += task.summary.completed;
    app.met += task.summary.met;
    AddKeys(task, app_pools_[app.app]);
    AddKeys(task, task_pools_[name]);
    if (task_app_.emplace(name, std::pair(app.app, app.type)).second)
      summary_.tasks.emplace_back(name, Slowdown{});
  }

  AppShare& AppOf(const TaskSummary& task) {
    for (AppShare& app : summary_.apps) {
      if (app.app == task.app) return app;
    }
    AppShare& app = summary_.apps.emplace_back();
    app.app = task.app;
    app.type = task.type;
    app.primary = KeyLatencies(task.type).front();
    return app;
  }

  void FinishApp(AppShare& app) {
    if (app.has_slo) {
      app.attainment_ci95 = Wilson95(app.met, app.issued);
      if (app.issued > 0) app.attainment = static_cast<double>(app.met) / app.issued;
    }
    auto metrics = Describe(app_pools_[app.app]);
    app.slowdown = CompareToAlone(app.app, app.type, metrics, baseline_);
    app.latency = metrics[app.primary];
    const double active = active_s_[app.app];
    if (active > 0) app.requests_per_min = 60 * app.completed / active;
  }

  void FinishGate() {
    const auto grains = plan_.grains.find(summary_.strategy);
    if (grains != plan_.grains.end()) summary_.grain = grains->second;
    if (gate_.empty()) return;
    summary_.gate = gate_.Describe();
    for (auto& [app, gate] : gate_apps_) {
      if (!app.empty() && !gate.empty()) summary_.gate_apps[app] = gate.Describe();
    }
  }

  const Plan& plan_;
  const Baseline& baseline_;
  StrategySummary summary_;
  std::vector<double> makespans_, attainments_, progress_;
  std::map<std::string, std::vector<double>> busy_;
  std::map<std::string, double> active_s_;  // by app: seconds in which a task of it ran
  std::map<std::string, Pool> app_pools_, task_pools_;
  std::map<std::string, std::pair<std::string, std::string>> task_app_;  // app, type
  GateStatistics gate_;
  std::map<std::string, GateStatistics> gate_apps_;
};

void CompareMakespans(std::vector<StrategySummary>& all) {
  const auto greedy = std::find_if(all.begin(), all.end(),
                                   [](const auto& one) { return one.strategy == "greedy"; });
  if (greedy == all.end()) return;
  const std::optional<double> base = greedy->makespan_s.median;
  for (StrategySummary& one : all) {
    if (base && *base > 0 && one.makespan_s.median)
      one.makespan_ratio = *one.makespan_s.median / *base;
  }
}

}  // namespace

Repeated OverRepetitions(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {Median(values), *low, *high};
}

std::map<std::string, Slowdown> AppSlowdowns(const JudgedRun& run, const Baseline& baseline) {
  std::map<std::string, Pool> pools;
  std::map<std::string, std::string> types;
  for (const SummarizedTask& task : run.tasks) {
    AddKeys(task, pools[task.summary.app]);
    types[task.summary.app] = task.summary.type;
  }
  std::map<std::string, Slowdown> slowdowns;
  for (auto& [app, pool] : pools)
    slowdowns[app] = CompareToAlone(app, types[app], Describe(pool), baseline);
  return slowdowns;
}

std::vector<StrategySummary> SummarizeStrategies(const std::vector<JudgedRun>& judged,
                                                 const std::vector<RunSummary>& runs,
                                                 const Plan& plan, const Baseline& baseline) {
  std::vector<Pooled> pools;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    auto pool = std::find_if(pools.begin(), pools.end(),
                             [&](const auto& one) { return one.strategy() == runs[i].strategy; });
    if (pool == pools.end()) {
      pools.emplace_back(runs[i].strategy, plan, baseline);
      pool = pools.end() - 1;
    }
    pool->Add(judged[i], runs[i]);
  }
  std::vector<StrategySummary> all;
  for (Pooled& pool : pools) all.push_back(pool.Finish());
  CompareMakespans(all);
  return all;
}

}  // namespace cbench::report
