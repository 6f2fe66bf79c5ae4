#include <algorithm>
#include <functional>

#include "report/compare/comparison.h"
#include "report/compare/drafts.h"
#include "report/compare/setup.h"

namespace cbench::report {
namespace {

// App names of a side in workflow order.
std::vector<std::pair<std::string, std::string>> AppsOf(const Evidence& side) {
  std::vector<std::pair<std::string, std::string>> apps;
  for (const RepetitionEvidence& repetition : side.repetitions) {
    for (const AppEvidence& app : repetition.apps) {
      const std::pair name_and_type(app.app, app.type);
      if (std::find(apps.begin(), apps.end(), name_and_type) == apps.end())
        apps.push_back(name_and_type);
    }
  }
  return apps;
}

AppSet SetOf(const Evidence& side, const std::string& name) {
  AppSet set;
  for (const RepetitionEvidence& repetition : side.repetitions) {
    for (const AppEvidence& app : repetition.apps) {
      if (app.app == name) set.push_back(&app);
    }
  }
  return set;
}

struct AppDrafts {
  std::string app, type;
  std::vector<Draft> drafts;
};

std::vector<AppDrafts> DraftAll(const Evidence& before, const Evidence& after) {
  std::vector<AppDrafts> all;
  all.push_back({"", "", DraftWhole(before.repetitions, after.repetitions)});
  const auto others = AppsOf(after);
  for (const auto& app : AppsOf(before)) {
    if (std::find(others.begin(), others.end(), app) == others.end()) continue;
    all.push_back(
        {app.first, app.second, DraftApp(SetOf(before, app.first), SetOf(after, app.first))});
  }
  return all;
}

// Metrics whose chance differences can be told at all.
int CountJudged(const std::vector<AppDrafts>& all) {
  int count = 0;
  for (const AppDrafts& one : all) {
    count += static_cast<int>(
        std::count_if(one.drafts.begin(), one.drafts.end(),
                      [](const Draft& draft) { return draft.row.change.has_value(); }));
  }
  return count;
}

void AddInvalid(const Evidence& side, std::vector<std::string>& reasons) {
  for (const RepetitionEvidence& repetition : side.repetitions) {
    if (repetition.verdict.valid) continue;
    reasons.push_back(
        fmt::format("{}, {}, repetition {} is INVALID: {}", repetition.record, repetition.strategy,
                    repetition.repeat + 1,
                    repetition.verdict.reasons.empty() ? "" : repetition.verdict.reasons.front()));
  }
}

bool Any(const Pairing& pairing, const std::function<bool(const MetricChange&)>& is_so) {
  return std::any_of(pairing.apps.begin(), pairing.apps.end(), [&](const AppChanges& app) {
    return std::any_of(app.metrics.begin(), app.metrics.end(), is_so);
  });
}

void Conclude(Pairing& pairing) {
  if (pairing.apps.size() < 2) pairing.reasons.emplace_back("they have no app in common");
  if (Any(pairing, [](const MetricChange& row) { return row.reason == kNoRepetitions; })) {
    pairing.reasons.emplace_back(
        "single runs differ, and cannot show how much of that is chance; measure each with cbench "
        "run --repeat 3 or more");
  }
  if (!pairing.reasons.empty()) pairing.outcome = Outcome::kNotComparable;
  if (Any(pairing, [](const MetricChange& row) { return row.verdict == Change::kWorse; }))
    pairing.outcome = Outcome::kRegression;
}

Pairing Pair(const Evidence& before, const Evidence& after) {
  Pairing pairing;
  pairing.before = before.label;
  pairing.after = after.label;
  pairing.strategy_before = before.repetitions.front().strategy;
  pairing.strategy_after = after.repetitions.front().strategy;
  pairing.repetitions_before = static_cast<int>(before.repetitions.size());
  pairing.repetitions_after = static_cast<int>(after.repetitions.size());
  std::vector<AppDrafts> drafts = DraftAll(before, after);
  const int judged = CountJudged(drafts);
  for (AppDrafts& one : drafts) {
    AppChanges& app = pairing.apps.emplace_back(AppChanges{one.app, one.type, {}});
    for (Draft& draft : one.drafts) app.metrics.push_back(Judge(std::move(draft), judged));
  }
  AddInvalid(before, pairing.reasons);
  AddInvalid(after, pairing.reasons);
  Conclude(pairing);
  return pairing;
}

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void PairStrategies(const Evidence& before, const Evidence& after, Comparison& comparison) {
  const std::vector<std::string> from = StrategiesOf(before), to = StrategiesOf(after);
  if (from.size() == 1 && to.size() == 1) {
    comparison.pairings.push_back(Pair(before, after));
    return;
  }
  for (const std::string& strategy : from) {
    if (Has(to, strategy)) {
      comparison.pairings.push_back(
          Pair(OnlyStrategy(before, strategy), OnlyStrategy(after, strategy)));
    } else {
      comparison.notes.push_back(fmt::format("{} has no run of {}", after.label, strategy));
    }
  }
  for (const std::string& strategy : to) {
    if (!Has(from, strategy))
      comparison.notes.push_back(fmt::format("{} has no run of {}", before.label, strategy));
  }
}

}  // namespace

Comparison Compare(const std::vector<Evidence>& sides) {
  Comparison comparison;
  for (std::size_t i = 1; i < sides.size(); ++i) PairStrategies(sides[0], sides[i], comparison);
  comparison.differences = SetupDifferences(sides);
  comparison.outcome =
      comparison.pairings.empty() ? Outcome::kNotComparable : Outcome::kNoRegression;
  for (const Pairing& pairing : comparison.pairings) {
    if (comparison.outcome == Outcome::kRegression) break;
    if (pairing.outcome != Outcome::kNoRegression) comparison.outcome = pairing.outcome;
  }
  return comparison;
}

const char* Name(Change change) {
  constexpr const char* kNames[] = {"same", "better", "worse", "unclear"};
  return kNames[static_cast<int>(change)];
}

const char* Name(Outcome outcome) {
  constexpr const char* kNames[] = {"no regression", "regression", "not comparable"};
  return kNames[static_cast<int>(outcome)];
}

}  // namespace cbench::report
