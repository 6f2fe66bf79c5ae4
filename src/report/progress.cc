#include "report/progress.h"

#include "report/intervals.h"
#include "report/key_latency.h"

namespace cbench::report {
namespace {

struct AppProgress {
  std::string name, type;
  std::vector<const TaskFacts*> tasks;
};

std::vector<AppProgress> AppsOf(const JudgedRun& run) {
  std::vector<AppProgress> apps;
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    const TaskSummary& task = run.tasks[i].summary;
    if (!UsesDevice(task.type)) continue;
    auto app = apps.begin();
    while (app != apps.end() && app->name != task.app) ++app;
    if (app == apps.end()) app = apps.insert(app, {task.app, task.type, {}});
    app->tasks.push_back(&run.facts.tasks[i]);
  }
  return apps;
}

Intervals Active(const AppProgress& app) {
  Intervals active;
  for (const TaskFacts* task : app.tasks) {
    if (task->start && task->end) active.emplace_back(*task->start, *task->end);
  }
  return Union(std::move(active));
}

Intervals AllBacklogged(const std::vector<AppProgress>& apps) {
  Intervals all = Active(apps.front());
  for (std::size_t i = 1; i < apps.size(); ++i) all = Intersection(all, Active(apps[i]));
  return all;
}

bool IsMostlyWithin(const record::RequestDone& done, const Intervals& window) {
  const Nanos from = done.t_send != 0 ? done.t_send : done.t_sched;
  if (from == 0 || done.t_end <= from) return false;
  const Nanos inside = Length(Intersection({{from, done.t_end}}, window));
  return inside >= done.t_end - from - inside;
}

std::optional<double> SharedMedian(const AppProgress& app, const Intervals& window) {
  Samples samples;
  for (const TaskFacts* task : app.tasks) {
    for (const RequestFacts& request : task->requests) {
      if (request.IsCompleted() && IsMostlyWithin(*request.done, window))
        AddKey(KeyLatencies(app.type).front(), *request.done, samples);
    }
  }
  return samples.Percentile(50);
}

std::optional<double> AloneMedian(const AppProgress& app, const Baseline& baseline) {
  const auto alone = baseline.find(app.name);
  if (alone == baseline.end()) return std::nullopt;
  const auto metric = alone->second->metrics.find(KeyLatencies(app.type).front());
  return metric == alone->second->metrics.end() ? std::nullopt : metric->second.p50;
}

double Weight(const AppProgress& app, const Plan& plan) {
  const auto planned = plan.apps.find(app.name);
  return planned == plan.apps.end() ? 1 : planned->second.weight;
}

}  // namespace

Progress FairnessOfProgress(const JudgedRun& run, const Plan& plan, const Baseline& baseline) {
  const std::vector<AppProgress> apps = AppsOf(run);
  if (apps.size() < 2) return {{}, "fewer than two apps use the device"};
  for (const AppProgress& app : apps) {
    if (!AloneMedian(app, baseline))
      return {{}, fmt::format("app {} has no exclusive run to compare with", app.name)};
  }
  const Intervals window = AllBacklogged(apps);
  if (window.empty()) return {{}, "the apps never all had work at the same time"};
  std::vector<double> progress;
  for (const AppProgress& app : apps) {
    const auto shared = SharedMedian(app, window);
    if (!shared || *shared <= 0)
      return {{}, fmt::format("app {} ended no request while all had work", app.name)};
    progress.push_back(*AloneMedian(app, baseline) / *shared / Weight(app, plan));
  }
  return {Jain(progress), {}};
}

}  // namespace cbench::report
