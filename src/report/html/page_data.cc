#include "report/html/page_data.h"

#include <algorithm>
#include <cstdlib>

#include "report/facts.h"
#include "report/html/curves.h"
#include "report/html/headline.h"
#include "report/rows.h"
#include "report/timeline.h"
#include "report/writers/json_values.h"

namespace cbench::report {
namespace {

// Four significant digits: more than a picture shows, few characters.
double Rounded(double value) { return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr); }

Json CurveJson(const Distribution& distribution) {
  Json x = Json::array(), y = Json::array();
  for (const auto& [value, share] : distribution.curve) {
    x.push_back(Rounded(value));
    y.push_back(Rounded(share));
  }
  return {{"x", x}, {"y", y}};
}

Json RowJson(const MetricRow& row) {
  return {{"label", row.label},
          {"target_s", row.slo ? Json(row.slo->target_s) : Json(nullptr)},
          {"met", row.slo ? Json(row.slo->met) : Json(nullptr)},
          {"samples", row.latency->samples},
          {"p50", ValueJson(row.latency->p50)},
          {"p95", ValueJson(row.latency->p95)},
          {"p99", ValueJson(row.latency->p99)},
          {"ecdf", CurveJson(*row.latency)}};
}

Json RowsJson(const RunSummary& run) {
  Json tasks = Json::array();
  for (const auto& [name, task] : run.tasks) {
    Json rows = Json::array();
    for (const MetricRow& row : MetricRows(task)) rows.push_back(RowJson(row));
    tasks.push_back(std::move(rows));
  }
  return tasks;
}

// The metrics of the apps alone that the page draws beside the shared ones, by the row's label.
Json AloneJson(const Summary& summary) {
  constexpr std::pair<const char*, const char*> kLabels[] = {
      {"ttft", "ttft_response"}, {"ttft from sending", "ttft"}, {"tpot", "tpot"},
      {"step", "step"},          {"segment", "segment"},        {"episode", "episode"},
      {"e2e", "e2e_response"}};
  Json json = Json::object();
  for (const ExclusiveSummary& one : summary.exclusive) {
    Json& app = json[one.app] = Json::object();
    for (const auto& [label, metric] : kLabels) {
      const auto found = one.metrics.find(metric);
      if (found != one.metrics.end()) app[label] = CurveJson(found->second);
    }
  }
  return json;
}

// In the order of the workflow, which the page's colours follow.
Json AppsJson(const Plan& plan) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (is_new && !name.empty()) names.push_back(name);
  };
  for (const PlannedTask& task : plan.tasks) add(task.app);
  for (const auto& [name, app] : plan.apps) add(name);
  Json apps = Json::array();
  for (const std::string& name : names) {
    const auto found = plan.apps.find(name);
    const PlannedApp app = found == plan.apps.end() ? PlannedApp{} : found->second;
    apps.push_back({{"name", name}, {"type", app.type}, {"class", app.priority_class}});
  }
  return apps;
}

Json ReproduceJson(const record::Header& header) {
  return {{"command", header.command},
          {"cbench_version", header.cbench_version},
          {"seed", header.seed},
          {"scenario", header.scenario}};
}

std::size_t CountDrawn(const std::vector<Timeline>& timelines) {
  std::size_t count = 0;
  for (const Timeline& timeline : timelines)
    count += static_cast<std::size_t>(
        std::count_if(timeline.series.begin(), timeline.series.end(), IsDrawn));
  return count;
}

// A first reading says how many series there are, the second one is as fine as fits.
std::vector<Timeline> Timelines(const record::Record& record,
                                const std::vector<const RunFacts*>& runs) {
  std::vector<Interval> windows;
  windows.reserve(runs.size());
  for (const RunFacts* run : runs) windows.emplace_back(run->start, std::max(run->start, run->end));
  if (record.directory.empty() || runs.empty()) return std::vector<Timeline>(windows.size());
  const std::size_t series =
      std::max<std::size_t>(1, CountDrawn(ReadTimelines(record, 1, windows)));
  const std::size_t points = std::clamp(kMostCurvePoints / series, kFewestPoints, kMostPoints);
  return ReadTimelines(record, points, windows);
}

Json RunJson(const RunSummary& summary, const RunFacts& facts, const Timeline& timeline,
             const Plan& plan, SpanBudget budget) {
  Json json = {{"length", (std::max(facts.end, facts.start) - facts.start) / kMicrosecond},
               {"rows", RowsJson(summary)},
               {"requests", RequestsJson(facts, plan, budget.requests)},
               {"steps", StepsJson(facts, budget.steps)}};
  json["ticks"] = facts.steps.empty() ? TicksJson(facts, budget.ticks) : Json(nullptr);
  json["curves"] = CurvesJson(timeline);
  json["curves_reason"] = ReasonJson(timeline.reason);
  json["errors"] = facts.errors;
  return json;
}

std::string HeadlineOf(const Summary& summary, const record::Record& record,
                       const std::vector<const RunFacts*>& runs) {
  if (!IsMonitor(record)) return Headline(summary);
  return MonitorHeadline(summary,
                         runs.empty() ? 0 : ToSeconds(runs.front()->end - runs.front()->start));
}

}  // namespace

Json PageData(const Summary& summary, const record::Record& record, SpanBudget budget) {
  const Plan plan = ReadPlan(record.header);
  const std::vector<RunFacts> facts = CollectRuns(record, plan);
  std::vector<const RunFacts*> shared;
  for (const RunFacts& run : facts) {
    if (run.alone.empty()) shared.push_back(&run);
  }
  const std::vector<Timeline> timelines = Timelines(record, shared);
  Json json = {{"schema", kPageSchema},
               {"headline", HeadlineOf(summary, record, shared)},
               {"monitor", IsMonitor(record)},
               {"summary", ToJson(summary)},
               {"apps", AppsJson(plan)},
               {"runs", Json::array()},
               {"alone", AloneJson(summary)},
               {"arrangements", record.header.arrangements},
               {"reproduce", ReproduceJson(record.header)}};
  const std::size_t share = std::max<std::size_t>(1, shared.size());
  budget = {budget.requests / share, budget.steps / share, budget.ticks / share};
  for (std::size_t i = 0; i < shared.size(); ++i)
    json["runs"].push_back(RunJson(summary.runs[i], *shared[i], timelines[i], plan, budget));
  return json;
}

}  // namespace cbench::report
