// Metrics of two sets of repetitions before they are judged: how wide the noise floor must be
// depends on how many metrics there are.
#pragma once

#include <string>
#include <vector>

#include "report/compare/comparison.h"

namespace cbench::report {

// The reason of a metric that one repetition a side cannot judge.
inline constexpr char kNoRepetitions[] = "without repetitions nothing says how much is chance";

struct Draft {
  MetricChange row;  // without noise and verdict
  bool more_is_better = false;
  // One value a repetition that has one: its logarithm, so that equal distances are equal ratios;
  // of a share the share itself.
  std::vector<double> before, after;
};

// A set's repetitions, as they bear on one app.
using AppSet = std::vector<const AppEvidence*>;

// Of each key latency the median, of the primary one also the highest percentile that every
// repetition has samples for; attainment; requests a minute. What neither side has is left out.
std::vector<Draft> DraftApp(const AppSet& before, const AppSet& after);

// Makespan, and energy by counter.
std::vector<Draft> DraftWhole(const std::vector<RepetitionEvidence>& before,
                              const std::vector<RepetitionEvidence>& after);

// `metrics`: how many are judged together. The floor is so wide that with 95 % probability all of
// them stay within if nothing has changed (Bonferroni).
MetricChange Judge(Draft draft, int metrics);

}  // namespace cbench::report
