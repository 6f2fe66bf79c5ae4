// Two or more sets of repetitions side by side: what changed, how surely, and whether that is a
// regression. Rules and formulas: docs/compare.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/compare/evidence.h"

namespace cbench::report {

inline constexpr char kCompareSchema[] = "cbench.compare/1";

// No change is called within this share, of attainment within these points.
constexpr double kSmallestChange = 0.05;

enum class Change { kSame, kBetter, kWorse, kUnclear };
enum class Quantity { kSeconds, kJoules, kShare, kPerMinute };

// One metric of both sides.
struct MetricChange {
  std::string metric;  // "itl p50", "attainment", …
  Quantity quantity = Quantity::kSeconds;
  std::optional<double> before, after;
  std::optional<double> change;  // after / before − 1; of a share after − before
  std::optional<Bounds> bounds;  // 95 % interval of `change`
  std::optional<double> noise;   // how far alike sets come apart in the direction of `change`
  Change verdict = Change::kUnclear;
  std::string reason;  // why it is unclear
};

struct AppChanges {
  std::string app, type;  // both empty: of the whole run
  std::vector<MetricChange> metrics;
};

enum class Outcome { kNoRegression, kRegression, kNotComparable };

// One side against the first.
struct Pairing {
  std::string before, after;  // the labels
  std::string strategy_before, strategy_after;
  int repetitions_before = 0, repetitions_after = 0;
  std::vector<AppChanges> apps;      // the whole run first, then apps in workflow order
  std::vector<std::string> reasons;  // why it is not comparable
  Outcome outcome = Outcome::kNoRegression;
};

struct Comparison {
  std::vector<Pairing> pairings;
  std::vector<std::string> differences;  // of set-up, between what is compared and within a side
  std::vector<std::string> notes;
  Outcome outcome = Outcome::kNoRegression;  // a regression outweighs what is not comparable
};

// The first side is the baseline. Strategies that two sides have in common are compared with each
// other; if each has only one, these.
Comparison Compare(const std::vector<Evidence>& sides);

const char* Name(Change change);    // "same", "better", "worse", "unclear"
const char* Name(Outcome outcome);  // "no regression", "regression", "not comparable"

Json ToJson(const Comparison& comparison);                         // docs/compare.md
std::string ToTerminal(const Comparison& comparison, bool color);  // at most 80 columns
std::string ToMarkdown(const Comparison& comparison);              // for a pull request
std::string ToHtml(const Comparison& comparison);                  // a page by itself

}  // namespace cbench::report
