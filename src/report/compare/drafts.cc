#include "report/compare/drafts.h"

#include <cmath>
#include <functional>
#include <set>

#include "report/key_latency.h"
#include "report/statistics.h"

namespace cbench::report {
namespace {

constexpr double kConfidence = 0.95;

// Logarithms; nothing at all if one has none, since the others alone would be a selection.
std::vector<double> Logarithms(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) {
    if (value <= 0) return {};
    logs.push_back(std::log(value));
  }
  return logs;
}

void SetChange(Draft& draft) {
  const MetricChange& row = draft.row;
  if (!row.before || !row.after) return;
  if (row.quantity == Quantity::kShare)
    draft.row.change = *row.after - *row.before;
  else if (*row.before > 0)
    draft.row.change = *row.after / *row.before - 1;
}

// A quantity with one value a repetition: geometric means, and a t-interval of their ratio.
Draft OfValues(std::string metric, Quantity quantity, const std::vector<double>& before,
               const std::vector<double>& after) {
  Draft draft;
  draft.row.metric = std::move(metric);
  draft.row.quantity = quantity;
  draft.before = Logarithms(before);
  draft.after = Logarithms(after);
  if (!draft.before.empty()) draft.row.before = std::exp(Mean(draft.before));
  if (!draft.after.empty()) draft.row.after = std::exp(Mean(draft.after));
  SetChange(draft);
  const auto half = NoiseFloor(draft.before, draft.after, kConfidence);
  if (!half || !draft.row.change) return draft;
  const double ratio = 1 + *draft.row.change;
  draft.row.bounds = Bounds(ratio * std::exp(-*half) - 1, ratio * std::exp(*half) - 1);
  return draft;
}

SetSamples LatenciesOf(const AppSet& set, const std::string& metric) {
  SetSamples samples;
  for (const AppEvidence* app : set) {
    const auto found = app->latencies.find(metric);
    samples.push_back(found == app->latencies.end() ? RepetitionSamples{} : found->second);
  }
  return samples;
}

std::vector<double> PercentileOfEach(const SetSamples& set, int percent) {
  std::vector<double> values;
  for (const RepetitionSamples& repetition : set) {
    if (const auto value = PercentileOf({repetition}, percent)) values.push_back(*value);
  }
  return values;
}

Draft OfPercentile(const std::string& metric, int percent, const SetSamples& before,
                   const SetSamples& after) {
  Draft draft;
  draft.row.metric = fmt::format("{} p{}", metric, percent);
  draft.row.before = PercentileOf(before, percent);
  draft.row.after = PercentileOf(after, percent);
  SetChange(draft);
  draft.before = Logarithms(PercentileOfEach(before, percent));
  draft.after = Logarithms(PercentileOfEach(after, percent));
  if (const auto ratio = BootstrapRatio(before, after, percent))
    draft.row.bounds = Bounds(ratio->first - 1, ratio->second - 1);
  return draft;
}

std::int64_t FewestSamples(const SetSamples& set) {
  std::int64_t fewest = kFloorP99;
  for (const RepetitionSamples& repetition : set) {
    std::int64_t count = 0;
    for (const RequestSamples& request : repetition) {
      for (const auto& sample : request) count += sample.second;
    }
    fewest = std::min(fewest, count);
  }
  return fewest;
}

void AddLatencies(const AppSet& before, const AppSet& after, std::vector<Draft>& drafts) {
  const std::vector<std::string>& metrics = KeyLatencies(before.front()->type);
  for (const std::string& metric : metrics) {
    const SetSamples from = LatenciesOf(before, metric), to = LatenciesOf(after, metric);
    drafts.push_back(OfPercentile(metric, 50, from, to));
    const std::int64_t fewest = std::min(FewestSamples(from), FewestSamples(to));
    if (metric != metrics.front() || fewest < kFloorP95) continue;
    drafts.push_back(OfPercentile(metric, fewest >= kFloorP99 ? 99 : 95, from, to));
  }
}

struct Shares {
  int met = 0, issued = 0;
  std::vector<double> each;
};
Shares SharesOf(const AppSet& set) {
  Shares shares;
  for (const AppEvidence* app : set) {
    if (!app->has_slo || app->issued == 0) continue;
    shares.met += app->met;
    shares.issued += app->issued;
    shares.each.push_back(static_cast<double>(app->met) / app->issued);
  }
  return shares;
}

Draft OfAttainment(const AppSet& before, const AppSet& after) {
  const Shares from = SharesOf(before), to = SharesOf(after);
  Draft draft;
  draft.more_is_better = true;
  draft.row.metric = "attainment";
  draft.row.quantity = Quantity::kShare;
  if (from.issued > 0) draft.row.before = static_cast<double>(from.met) / from.issued;
  if (to.issued > 0) draft.row.after = static_cast<double>(to.met) / to.issued;
  SetChange(draft);
  draft.row.bounds = DifferenceOfShares(from.met, from.issued, to.met, to.issued);
  draft.before = from.each;
  draft.after = to.each;
  return draft;
}

std::vector<double> RatesOf(const AppSet& set) {
  std::vector<double> rates;
  for (const AppEvidence* app : set) {
    if (app->active_s > 0) rates.push_back(60 * app->completed / app->active_s);
  }
  return rates;
}

void LeaveOutUnknown(std::vector<Draft>& drafts) {
  std::erase_if(drafts, [](const Draft& one) { return !one.row.before && !one.row.after; });
}

using Pick = std::function<std::optional<double>(const RepetitionEvidence&)>;
std::vector<double> ValuesOf(const std::vector<RepetitionEvidence>& set, const Pick& pick) {
  std::vector<double> values;
  for (const RepetitionEvidence& repetition : set) {
    if (const auto value = pick(repetition)) values.push_back(*value);
  }
  return values;
}

std::set<std::string> CountersOf(const std::vector<RepetitionEvidence>& set) {
  std::set<std::string> names;
  for (const RepetitionEvidence& repetition : set) {
    for (const auto& [name, joules] : repetition.energy_j) names.insert(name);
  }
  return names;
}

Draft OfEnergy(const std::string& counter, const std::vector<RepetitionEvidence>& before,
               const std::vector<RepetitionEvidence>& after) {
  const Pick joules = [&](const RepetitionEvidence& one) -> std::optional<double> {
    const auto found = one.energy_j.find(counter);
    if (found == one.energy_j.end()) return std::nullopt;
    return found->second;
  };
  return OfValues("energy " + counter, Quantity::kJoules, ValuesOf(before, joules),
                  ValuesOf(after, joules));
}

}  // namespace

std::vector<Draft> DraftApp(const AppSet& before, const AppSet& after) {
  std::vector<Draft> drafts;
  AddLatencies(before, after, drafts);
  drafts.push_back(OfAttainment(before, after));
  drafts.push_back(OfValues("requests/min", Quantity::kPerMinute, RatesOf(before), RatesOf(after)));
  drafts.back().more_is_better = true;
  LeaveOutUnknown(drafts);
  return drafts;
}

std::vector<Draft> DraftWhole(const std::vector<RepetitionEvidence>& before,
                              const std::vector<RepetitionEvidence>& after) {
  const Pick makespan = [](const RepetitionEvidence& one) { return one.makespan_s; };
  std::vector<Draft> drafts = {OfValues("makespan", Quantity::kSeconds, ValuesOf(before, makespan),
                                        ValuesOf(after, makespan))};
  std::set<std::string> counters = CountersOf(before);
  counters.merge(CountersOf(after));
  for (const std::string& counter : counters) drafts.push_back(OfEnergy(counter, before, after));
  LeaveOutUnknown(drafts);
  return drafts;
}

}  // namespace cbench::report
