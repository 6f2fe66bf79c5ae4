#include "report/compare/evidence.h"

#include <algorithm>

#include "report/device_use.h"
#include "report/energy.h"
#include "report/facts.h"
#include "report/intervals.h"
#include "report/key_latency.h"

namespace cbench::report {
namespace {

AppEvidence& AppOf(std::vector<AppEvidence>& apps, const TaskSummary& task) {
  for (AppEvidence& app : apps) {
    if (app.app == task.app) return app;
  }
  AppEvidence& app = apps.emplace_back();
  app.app = task.app;
  app.type = task.type;
  return app;
}

void AddRequests(const TaskFacts& facts, AppEvidence& app) {
  for (const std::string& metric : KeyLatencies(app.type)) {
    RepetitionSamples& all = app.latencies[metric];
    for (const RequestFacts& request : facts.requests) {
      if (!request.IsCompleted()) continue;
      Samples samples;
      AddKey(metric, *request.done, samples);
      if (samples.count() > 0) all.push_back(samples.values());
    }
  }
}

std::vector<AppEvidence> CollectApps(const RunFacts& facts, const RunSummary& run) {
  std::vector<AppEvidence> apps;
  std::map<std::string, Intervals> active;
  for (std::size_t i = 0; i < facts.tasks.size(); ++i) {
    const TaskSummary& task = run.tasks[i].second;
    AppEvidence& app = AppOf(apps, task);
    app.has_slo |= !task.slo.empty();
    app.issued += task.issued;
    app.completed += task.completed;
    app.met += task.met;
    AddRequests(facts.tasks[i], app);
    if (facts.tasks[i].start && facts.tasks[i].end)
      active[app.app].emplace_back(*facts.tasks[i].start, *facts.tasks[i].end);
  }
  for (AppEvidence& app : apps) app.active_s = ToSeconds(Length(Union(active[app.app])));
  return apps;
}

}  // namespace

void AddRecord(const record::Record& record, Evidence& evidence) {
  const Summary summary = Compute(record);
  const std::vector<RunFacts> facts = CollectRuns(record, ReadPlan(record.header));
  std::vector<std::optional<Interval>> windows;
  for (const RunFacts& run : facts) windows.push_back(Window(run));
  const auto energy = MeasureEnergy(record, windows);
  auto run = summary.runs.begin();
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].alone.empty()) continue;
    evidence.repetitions.push_back({run->strategy, run->repeat, record.directory.string(),
                                    run->verdict, run->makespan_s, CollectApps(facts[i], *run),
                                    energy[i]});
    ++run;
  }
  evidence.headers.push_back(record.header);
}

std::vector<std::string> StrategiesOf(const Evidence& evidence) {
  std::vector<std::string> names;
  for (const RepetitionEvidence& repetition : evidence.repetitions) {
    if (std::find(names.begin(), names.end(), repetition.strategy) == names.end())
      names.push_back(repetition.strategy);
  }
  return names;
}

Evidence OnlyStrategy(const Evidence& evidence, const std::string& strategy) {
  Evidence only = evidence;
  std::erase_if(only.repetitions, [&](const auto& one) { return one.strategy != strategy; });
  return only;
}

}  // namespace cbench::report
