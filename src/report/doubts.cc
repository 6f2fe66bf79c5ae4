// Doubts: the numbers stand, but a reader should know. Each says what to do about it.
#include <algorithm>
#include <cmath>

#include "report/key_latency.h"
#include "report/verdict.h"

namespace cbench::report {
namespace {

using Texts = std::vector<std::string>;

constexpr double kTokenDoubt = 0.05, kTokenInvalid = 0.20;  // above the latter it is a reason
constexpr double kCacheDoubt = 0.10;  // below it is the chat template's own first words
constexpr double kColdFactor = 3;
constexpr double kDispatchLimit = 1e-3;  // seconds
constexpr double kSpreadLimit = 0.05;
constexpr double kFasterThanAlone = 0.9;

// Of an exclusive run, what cannot be told of slow-downs says so itself.
void CheckFewSamples(const JudgedRun& run, Texts& doubts) {
  if (!run.facts.alone.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    const TaskSummary& task = run.tasks[i].summary;
    if (task.slo.empty() || task.issued == 0 || task.issued >= kFloorP95) continue;
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", run.facts.tasks[i].plan.name,
                         task.issued);
  }
  if (names.empty()) return;
  doubts.push_back(
      fmt::format("few requests in {}: tails are unknown and the interval of attainment is wide; "
                  "raise 'requests'",
                  names));
}

void CheckCold(const std::string& name, const TaskChecks& checks, Texts& doubts) {
  if (!checks.first_latency || !checks.median_latency || *checks.median_latency <= 0) return;
  const double ratio = *checks.first_latency / *checks.median_latency;
  if (ratio <= kColdFactor) return;
  doubts.push_back(
      fmt::format("task {}: its first request took {:.1f} times the median of the others, perhaps "
                  "a cold start; raise 'warmup'",
                  name, ratio));
}

void CheckCache(const std::string& name, const TaskChecks& checks, Texts& doubts) {
  if (checks.cached_tokens <= kCacheDoubt * checks.prompt_tokens) return;
  doubts.push_back(
      fmt::format("task {}: {:.0f} % of its prompt tokens came from the prefix cache, so its TTFT "
                  "is not that of a fresh prompt; compare only with runs that share it",
                  name, 100 * checks.cached_tokens / checks.prompt_tokens));
}

void CheckTokens(const std::string& name, const TaskChecks& checks, Texts& doubts) {
  const double difference = checks.token_difference;
  if (difference <= kTokenDoubt * checks.usage_tokens ||
      difference > kTokenInvalid * checks.usage_tokens)
    return;
  doubts.push_back(
      fmt::format("task {}: the server's count of output tokens and the stream's differ by {:.1f} "
                  "%; TPOT uses the server's",
                  name, 100 * difference / checks.usage_tokens));
}

void CheckRetries(const std::string& name, const TaskChecks& checks, Texts& doubts) {
  if (checks.retried == 0) return;
  doubts.push_back(
      fmt::format("task {}: {} requests were sent again because the server had closed the "
                  "connection; raise its keep-alive time",
                  name, checks.retried));
}

// Which percentile can be told depends on the number of samples; if a lower one is over the
// limit, so is p99.
void CheckDispatch(const std::string& name, TaskChecks& checks, Texts& doubts) {
  const Distribution delay = checks.dispatch.Describe();
  const std::pair<const char*, std::optional<double>> known[] = {
      {"p99", delay.p99}, {"p95", delay.p95}, {"p90", delay.p90}, {"p50", delay.p50}};
  for (const auto& [label, value] : known) {
    if (!value) continue;
    if (*value > kDispatchLimit) {
      doubts.push_back(
          fmt::format("task {}: requests were sent late (dispatch delay {} {:.1f} ms, at most 1 ms "
                      "is fine), so the client limits what is measured; leave it a core",
                      name, label, *value * 1e3));
    }
    return;
  }
}

void CheckNotApplicable(const std::string& name, const TaskSummary& task, Texts& doubts) {
  for (const auto& [metric, slo] : task.slo) {
    if (slo.not_applicable == 0) continue;
    doubts.push_back(
        fmt::format("task {}: {} of {} answers came in one chunk and have no {}; they count as "
                    "met, so ask for longer answers",
                    name, slo.not_applicable, task.completed, metric));
  }
}

void CheckBaselineMissing(const Summary& summary, Texts& doubts) {
  if (summary.strategies.size() < 2) return;
  std::string missing;
  for (const AppShare& app : summary.strategies.front().apps) {
    const auto is_it = [&app](const ExclusiveSummary& one) { return one.app == app.app; };
    const auto& alone = summary.exclusive;
    if (!UsesDevice(app.type) || std::any_of(alone.begin(), alone.end(), is_it)) continue;
    missing += (missing.empty() ? "" : ", ") + app.app;
  }
  if (missing.empty()) return;
  doubts.push_back(
      fmt::format("without a run alone of {}, what sharing costs is unknown: slow-downs and "
                  "fairness of progress need one; add --exclusive-baseline",
                  missing));
}

// Sharing makes nothing faster, so an app that was slower alone was not alone or not arranged as
// well as it could be.
void CheckBaselineSlow(const StrategySummary& strategy, Texts& doubts) {
  for (const AppShare& app : strategy.apps) {
    const auto slowdown = app.slowdown.primary().p50;
    if (!slowdown || *slowdown >= kFasterThanAlone) continue;
    doubts.push_back(
        fmt::format("{}: app {} is faster than alone (slow-down {:.2f} of median {}), so its "
                    "baseline is no limit of what it could do; look at threads and waiting in the "
                    "exclusive run, or raise 'repeat'",
                    strategy.strategy, app.app, *slowdown, app.primary));
  }
}

void AddSpread(const std::string& what, const std::vector<double>& values, Texts& doubts) {
  const auto spread = VariationCoefficient(values);
  if (!spread || *spread <= kSpreadLimit) return;
  doubts.push_back(
      fmt::format("{} varies by {:.0f} % over {} repetitions (coefficient of variation, over 5 %); "
                  "quiet the machine or raise 'repeat'",
                  what, 100 * *spread, values.size()));
}

}  // namespace

Texts Doubts(JudgedRun& run) {
  Texts doubts;
  CheckFewSamples(run, doubts);
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    const std::string& name = run.facts.tasks[i].plan.name;
    TaskChecks& checks = run.tasks[i].checks;
    CheckCold(name, checks, doubts);
    CheckCache(name, checks, doubts);
    CheckTokens(name, checks, doubts);
    CheckRetries(name, checks, doubts);
    CheckDispatch(name, checks, doubts);
    CheckNotApplicable(name, run.tasks[i].summary, doubts);
  }
  return doubts;
}

Texts BaselineDoubts(const Summary& summary) {
  Texts doubts;
  CheckBaselineMissing(summary, doubts);
  for (const StrategySummary& strategy : summary.strategies) CheckBaselineSlow(strategy, doubts);
  return doubts;
}

Texts SpreadDoubts(const std::vector<RunSummary>& runs) {
  // "strategy: quantity" -> its value in each repetition, in order of appearance.
  std::vector<std::pair<std::string, std::vector<double>>> series;
  std::map<std::string, std::size_t> index;
  const auto add = [&](const std::string& what, std::optional<double> value) {
    if (!value) return;
    const auto [found, is_new] = index.emplace(what, series.size());
    if (is_new) series.emplace_back(what, std::vector<double>{});
    series[found->second].second.push_back(*value);
  };
  for (const RunSummary& run : runs) {
    add(run.strategy + ": makespan", run.makespan_s);
    for (const auto& [name, task] : run.tasks) {
      const auto found = task.metrics.find("e2e");
      if (found != task.metrics.end())
        add(fmt::format("{}: median latency of task {}", run.strategy, name), found->second.p50);
    }
  }
  Texts doubts;
  for (const auto& [what, values] : series) AddSpread(what, values, doubts);
  return doubts;
}

}  // namespace cbench::report
