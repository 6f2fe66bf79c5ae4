// record -> Summary, as a list of passes: read the plan, sort the events by run, summarise every
// task, judge every run, then the whole.
#include <algorithm>
#include <set>

#include "report/facts.h"
#include "report/plan.h"
#include "report/summary.h"
#include "report/task_summary.h"
#include "report/verdict.h"

namespace cbench::report {
namespace {

// First task start to last task end; null while any task that started has no end.
std::optional<double> Makespan(const std::vector<SummarizedTask>& tasks) {
  std::optional<double> start, end;
  for (const auto& [task, checks] : tasks) {
    if (!task.start_s) continue;
    if (!task.end_s) return std::nullopt;
    start = std::min(start.value_or(*task.start_s), *task.start_s);
    end = std::max(end.value_or(*task.end_s), *task.end_s);
  }
  if (!start) return std::nullopt;
  return *end - *start;
}

// Jain's index of attainment over the apps that have SLOs; an app's tasks count together.
std::optional<double> Fairness(const std::vector<SummarizedTask>& tasks) {
  std::map<std::string, std::pair<int, int>> apps;  // met, issued
  for (const auto& [task, checks] : tasks) {
    if (task.slo.empty() || task.issued == 0) continue;
    apps[task.app].first += task.met;
    apps[task.app].second += task.issued;
  }
  std::vector<double> attainments;
  for (const auto& [name, app] : apps)
    attainments.push_back(static_cast<double>(app.first) / app.second);
  return Jain(attainments);
}

RunSummary SummarizeRun(const RunFacts& facts, const Plan& plan) {
  JudgedRun judged{facts, {}};
  for (const TaskFacts& task : facts.tasks) {
    const auto app = plan.apps.find(task.plan.app);
    judged.tasks.push_back(
        SummarizeTask(task, app == plan.apps.end() ? PlannedApp{} : app->second, facts.start));
  }
  RunSummary run;
  run.strategy = facts.strategy;
  run.repeat = facts.repeat;
  run.status = facts.status;
  run.makespan_s = facts.status == "interrupted" ? std::nullopt : Makespan(judged.tasks);
  run.verdict = JudgeRun(judged);
  run.fairness_attainment = Fairness(judged.tasks);
  run.doubts = Doubts(judged);
  for (std::size_t i = 0; i < judged.tasks.size(); ++i)
    run.tasks.emplace_back(facts.tasks[i].plan.name, std::move(judged.tasks[i].summary));
  return run;
}

Verdict JudgeAll(const std::vector<RunSummary>& runs, const Plan& plan) {
  Verdict verdict;
  if (runs.empty()) verdict.reasons.push_back("the record holds no run");
  if (!runs.empty() && runs.size() < plan.runs) {
    verdict.reasons.push_back(
        fmt::format("the record holds {} of {} planned runs", runs.size(), plan.runs));
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
  for (const RunFacts& facts : CollectRuns(record, plan))
    summary.runs.push_back(SummarizeRun(facts, plan));
  summary.verdict = JudgeAll(summary.runs, plan);
  summary.doubts = SpreadDoubts(summary.runs);
  summary.notes = Notes(record, plan);
  return summary;
}

}  // namespace cbench::report
