#include "report/verdict.h"

#include <algorithm>

namespace cbench::report {
namespace {

using Reasons = std::vector<std::string>;

constexpr double kCompletedShare = 0.9;
constexpr double kTokenMismatch = 0.20;

void CheckEnd(const JudgedRun& run, Reasons& reasons) {
  const std::string& status = run.facts.status;
  if (status == "interrupted")
    reasons.push_back("interrupted: the record ends before the run does");
  else if (status == "cancelled")
    reasons.push_back("cancelled before its end");
  else if (status != "done")
    reasons.push_back(fmt::format("the run ended as \"{}\"", status));
  if (run.tasks.empty()) reasons.push_back("no task was run");
}

void CheckTasks(const JudgedRun& run, Reasons& reasons) {
  for (const TaskFacts& task : run.facts.tasks) {
    if (task.state == "finished") continue;
    const std::string what = task.state == "running" ? "did not finish"
                             : task.state == "not started"
                                 ? "did not start"
                                 : "was not finished but is marked " + task.state;
    reasons.push_back(fmt::format("task {} {}{}{}", task.plan.name, what,
                                  task.detail.empty() ? "" : ": ", task.detail));
  }
}

void CheckEngines(const JudgedRun& run, Reasons& reasons) {
  for (const std::string& crash : run.facts.crashes)
    reasons.push_back(fmt::format("engine crashed: {}", crash));
  for (const std::string& error : run.facts.errors)
    reasons.push_back(fmt::format("error outside any request: {}", error));
}

// Per app, over its tasks. What was issued beyond the plan counts as planned.
void CheckCompleted(const JudgedRun& run, Reasons& reasons) {
  struct Count {
    double planned = 0, completed = 0;
  };
  std::vector<std::pair<std::string, Count>> apps;
  for (const SummarizedTask& task : run.tasks) {
    const std::string& app = task.summary.app;
    auto found =
        std::find_if(apps.begin(), apps.end(), [&](const auto& a) { return a.first == app; });
    if (found == apps.end()) found = apps.insert(apps.end(), {app, {}});
    found->second.planned += std::max(task.summary.planned, task.summary.issued);
    found->second.completed += task.summary.completed;
  }
  for (const auto& [app, count] : apps) {
    if (count.completed >= kCompletedShare * count.planned) continue;
    reasons.push_back(
        fmt::format("app {} completed {:.0f} of {:.0f} planned requests (at least 90 % are needed)",
                    app, count.completed, count.planned));
  }
}

void CheckInBand(const std::string& name, const SummarizedTask& task, Reasons& reasons) {
  const auto found = task.summary.failures.find("in-band");
  if (found == task.summary.failures.end()) return;
  reasons.push_back(
      fmt::format("task {}: {} of {} requests got an error inside an answer that claimed success",
                  name, found->second, task.summary.issued));
}

void CheckTokens(const std::string& name, const SummarizedTask& task, Reasons& reasons) {
  const TaskChecks& checks = task.checks;
  if (checks.token_difference > kTokenMismatch * checks.usage_tokens) {
    reasons.push_back(
        fmt::format("task {}: output tokens counted by the server ({:.0f}) and from the stream "
                    "differ by {:.0f}, over 20 %",
                    name, checks.usage_tokens, checks.token_difference));
  }
  if (checks.pinned_off > 0) {
    reasons.push_back(
        fmt::format("task {}: {} of {} answers are over 10 % off the length that was asked for",
                    name, checks.pinned_off, checks.pinned));
  }
}

void CheckSloData(const std::string& name, const SummarizedTask& task, Reasons& reasons) {
  for (const auto& [metric, slo] : task.summary.slo) {
    if (slo.missing == 0) continue;
    reasons.push_back(
        fmt::format("task {}: {} is missing for {} of {} completed requests, which count as misses",
                    name, metric, slo.missing, task.summary.completed));
  }
}

}  // namespace

Verdict JudgeRun(const JudgedRun& run) {
  Verdict verdict;
  CheckEnd(run, verdict.reasons);
  CheckEngines(run, verdict.reasons);
  CheckTasks(run, verdict.reasons);
  CheckCompleted(run, verdict.reasons);
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    const std::string& name = run.facts.tasks[i].plan.name;
    CheckInBand(name, run.tasks[i], verdict.reasons);
    CheckTokens(name, run.tasks[i], verdict.reasons);
    CheckSloData(name, run.tasks[i], verdict.reasons);
  }
  verdict.valid = verdict.reasons.empty();
  return verdict;
}

}  // namespace cbench::report
