// What chance does to a comparison of two sets of repetitions: how far they come apart though
// nothing changed, and between which bounds the change lies that was found.
//
// Requests of one run share its fate (a warm machine, another program), so they say little about
// how the next run will be. What is judged is therefore the spread of whole repetitions.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace cbench::report {

using Bounds = std::pair<double, double>;

// The quantile p of Student's t with df ≥ 1 degrees of freedom, p in (0.5, 1).
// Abramowitz & Stegun 1964, 26.7.3 and 26.7.4.
double StudentQuantile(double p, int df);

// How far the means of two sets of one normal quantity come apart by chance, with probability
// `confidence` not farther: t · s · √(1/n₁ + 1/n₂) with the variance pooled within the sets, so it
// is measured between runs of the same kind only. Null unless one set has two values.
std::optional<double> NoiseFloor(const std::vector<double>& a, const std::vector<double>& b,
                                 double confidence);

// 95 % bounds of p₂ − p₁ from Wilson's of each (Newcombe 1998, method 10); null without requests.
std::optional<Bounds> DifferenceOfShares(int met_a, int count_a, int met_b, int count_b);

// The samples of one request (of a text, one a gap between tokens), each with its weight.
using RequestSamples = std::vector<std::pair<double, std::int64_t>>;
using RepetitionSamples = std::vector<RequestSamples>;
using SetSamples = std::vector<RepetitionSamples>;

// Nearest-rank percentile over all samples; null without.
std::optional<double> PercentileOf(const SetSamples& set, int percent);

// 95 % bounds of (percentile of b) / (percentile of a) by the bootstrap: of each set, draw as many
// repetitions as it has, of each of these as many requests (with replacement), which come with all
// their samples. Always the same for the same samples. Null if one set has fewer than two requests
// or a percentile of 0 turned up.
std::optional<Bounds> BootstrapRatio(const SetSamples& a, const SetSamples& b, int percent);

}  // namespace cbench::report
