// One metric's verdict. docs/compare.md has the rule in words.
#include <algorithm>
#include <cmath>

#include "report/compare/drafts.h"

namespace cbench::report {
namespace {

constexpr double kError = 0.05;  // of all metrics together

// In the direction of the change: as a ratio, noise reaches farther up than down.
std::optional<double> NoiseOf(const Draft& draft, int metrics) {
  const auto floor = NoiseFloor(draft.before, draft.after, 1 - kError / std::max(metrics, 1));
  if (!floor || draft.row.quantity == Quantity::kShare) return floor;
  return draft.row.change.value_or(0) >= 0 ? std::exp(*floor) - 1 : 1 - std::exp(-*floor);
}

bool Includes(const Bounds& bounds, double value) {
  return bounds.first <= value && value <= bounds.second;
}

Change Decide(const Draft& draft, std::string& reason) {
  const MetricChange& row = draft.row;
  if (!row.before || !row.after || !row.change) {
    reason = !row.before ? "not measured before" : !row.after ? "not measured after" : "it was 0";
    return Change::kUnclear;
  }
  if (std::abs(*row.change) <= std::max(kSmallestChange, row.noise.value_or(0)))
    return Change::kSame;
  if (!row.noise) {
    reason = kNoRepetitions;
    return Change::kUnclear;
  }
  if (row.bounds && Includes(*row.bounds, 0)) {
    reason = "the interval includes no change";
    return Change::kUnclear;
  }
  return (*row.change > 0) == draft.more_is_better ? Change::kBetter : Change::kWorse;
}

}  // namespace

MetricChange Judge(Draft draft, int metrics) {
  draft.row.noise = NoiseOf(draft, metrics);
  draft.row.verdict = Decide(draft, draft.row.reason);
  return std::move(draft.row);
}

}  // namespace cbench::report
