// record -> Summary, as a list of passes: read the plan, sort the events by run, summarise every
// task, judge every run, then the whole.
#include <algorithm>
#include <set>

#include "report/device_use.h"
#include "report/exclusive.h"
#include "report/facts.h"
#include "report/key_latency.h"
#include "report/plan.h"
#include "report/progress.h"
#include "report/strategies.h"
#include "report/summary.h"
#include "report/task_summary.h"
#include "report/verdict.h"

namespace cbench::report {
namespace {

// Jain's index of attainment over the apps that have SLOs; an app's tasks count together.
std::optional<double> Fairness(const RunSummary& run) {
  std::map<std::string, std::pair<int, int>> apps;  // met, issued
  for (const auto& [name, task] : run.tasks) {
    if (task.slo.empty() || task.issued == 0) continue;
    apps[task.app].first += task.met;
    apps[task.app].second += task.issued;
  }
  std::vector<double> attainments;
  for (const auto& [name, app] : apps)
    attainments.push_back(static_cast<double>(app.first) / app.second);
  return Jain(attainments);
}

JudgedRun Judge(const RunFacts& facts, const Plan& plan) {
  JudgedRun judged{facts, {}};
  for (const TaskFacts& task : facts.tasks) {
    const auto app = plan.apps.find(task.plan.app);
    judged.tasks.push_back(
        SummarizeTask(task, app == plan.apps.end() ? PlannedApp{} : app->second, facts.start));
  }
  return judged;
}

std::optional<double> Makespan(const RunFacts& facts) {
  const auto window = Window(facts);
  if (!window || facts.status == "interrupted") return std::nullopt;
  return ToSeconds(window->second - facts.start) - ToSeconds(window->first - facts.start);
}

void AddComparisons(const JudgedRun& judged, const Plan& plan, const Baseline& baseline,
                    RunSummary& run) {
  for (auto& [name, task] : run.tasks)
    task.slowdown = CompareToAlone(task.app, task.type, task.metrics, baseline);
  run.slowdowns = AppSlowdowns(judged, baseline);
  const Progress progress = FairnessOfProgress(judged, plan, baseline);
  run.fairness_progress = progress.jain;
  run.fairness_progress_reason = progress.reason;
}

RunSummary SummarizeRun(JudgedRun& judged) {
  const RunFacts& facts = judged.facts;
  RunSummary run;
  run.strategy = facts.strategy;
  run.repeat = facts.repeat;
  run.status = facts.status;
  run.makespan_s = Makespan(facts);
  run.verdict = JudgeRun(judged);
  run.doubts = Doubts(judged);
  for (std::size_t i = 0; i < judged.tasks.size(); ++i)
    run.tasks.emplace_back(facts.tasks[i].plan.name, judged.tasks[i].summary);
  run.fairness_attainment = Fairness(run);
  return run;
}

// Every app of the workflow that uses the device was to run alone as often as planned.
void CheckBaseline(const Summary& summary, const Plan& plan, std::vector<std::string>& reasons) {
  std::set<std::string> seen;
  for (const PlannedTask& task : plan.tasks) {
    const auto app = plan.apps.find(task.app);
    if (app == plan.apps.end() || !UsesDevice(app->second.type)) continue;
    int runs = 0;
    for (const ExclusiveSummary& one : summary.exclusive)
      runs += one.app == task.app ? one.runs : 0;
    if (runs < plan.alone && seen.insert(task.app).second) {
      reasons.push_back(fmt::format("the record holds {} of {} planned runs of {} alone", runs,
                                    plan.alone, task.app));
    }
  }
}

Verdict JudgeAll(const Summary& summary, const Plan& plan) {
  const std::vector<RunSummary>& runs = summary.runs;
  Verdict verdict;
  if (runs.empty()) verdict.reasons.push_back("the record holds no run");
  if (!runs.empty() && runs.size() < plan.runs) {
    verdict.reasons.push_back(
        fmt::format("the record holds {} of {} planned runs", runs.size(), plan.runs));
  }
  CheckBaseline(summary, plan, verdict.reasons);
  for (const ExclusiveSummary& one : summary.exclusive) {
    for (const std::string& reason : one.verdict.reasons)
      verdict.reasons.push_back(fmt::format("{} alone, {}", one.app, reason));
  }
  for (const RunSummary& run : runs) {
    for (const std::string& reason : run.verdict.reasons) {
      verdict.reasons.push_back(
          runs.size() == 1
              ? reason
              : fmt::format("{}, repetition {}: {}", run.strategy, run.repeat + 1, reason));
    }
  }
  verdict.valid = verdict.reasons.empty();
  return verdict;
}

// Samples are read only where steps do not say more. Without a readable file there are none.
std::vector<record::Sample> ReadCpuBusy(const record::Record& record,
                                        const std::vector<JudgedRun>& runs) {
  std::vector<record::Sample> cpu;
  const bool is_needed = std::any_of(runs.begin(), runs.end(),
                                     [](const auto& run) { return run.facts.steps.empty(); });
  if (!is_needed || record.directory.empty()) return cpu;
  const auto read = record::ReadSamples(record.directory, [&cpu](const record::Sample& sample) {
    if (sample.probe == "cpu" && sample.name == "busy") cpu.push_back(sample);
  });
  if (!read) cpu.clear();
  return cpu;
}

std::vector<std::string> Notes(const record::Record& record, const Plan& plan) {
  std::vector<std::string> notes;
  if (!plan.synthetic_engines.empty()) {
    notes.push_back(
        fmt::format("synthetic weights in {}: speed and memory are real, what is answered is not",
                    fmt::join(plan.synthetic_engines, ", ")));
  }
  if (record.torn) notes.push_back("the last line of events.jsonl was cut off and is left out");
  if (record.skipped > 0) {
    notes.push_back(
        fmt::format("{} events of a newer record version were skipped; a newer cbench shows them",
                    record.skipped));
  }
  return notes;
}

}  // namespace

Summary Compute(const record::Record& record) {
  const Plan plan = ReadPlan(record.header);
  Summary summary;
  summary.scenario = record.header.name;
  summary.directory = record.directory.string();
  summary.started_utc = record.header.started_utc;
  summary.cbench_version = record.header.cbench_version;
  summary.device = record.header.device;
  summary.engines = record.header.engines;
  const std::vector<RunFacts> facts = CollectRuns(record, plan);
  std::vector<JudgedRun> alone, shared;
  for (const RunFacts& run : facts)
    (run.alone.empty() ? shared : alone).push_back(Judge(run, plan));
  summary.exclusive = SummarizeExclusive(alone, plan);
  const Baseline baseline = MakeBaseline(summary.exclusive);
  const std::vector<record::Sample> cpu = ReadCpuBusy(record, shared);
  for (JudgedRun& judged : shared) {
    RunSummary& run = summary.runs.emplace_back(SummarizeRun(judged));
    AddComparisons(judged, plan, baseline, run);
    run.device = MeasureUse(judged.facts, plan, cpu);
  }
  summary.strategies = SummarizeStrategies(shared, summary.runs, plan, baseline);
  summary.verdict = JudgeAll(summary, plan);
  summary.doubts = BaselineDoubts(summary);
  for (std::string& doubt : SpreadDoubts(summary.runs)) summary.doubts.push_back(std::move(doubt));
  summary.probes = ProbeStates(record);
  summary.notes = Notes(record, plan);
  return summary;
}

}  // namespace cbench::report
