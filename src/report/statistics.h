// The statistics of docs/metrics.md. Nothing here knows what the numbers mean.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "report/summary.h"

namespace cbench::report {

// Below these numbers of samples a percentile says nothing about the tail it names.
constexpr std::int64_t kFloorP90 = 20, kFloorP95 = 40, kFloorP99 = 200;

// Samples with weights: a gap between chunks counts once for every token of the later chunk.
class Samples {
 public:
  void Add(double value, std::int64_t weight = 1);
  void Add(std::optional<double> value);  // nothing if absent
  void Add(const Samples& others);

  std::int64_t count() const { return count_; }
  const std::vector<std::pair<double, std::int64_t>>& values() const { return values_; }
  // The smallest value with at least `percent` % of the samples at or below it (nearest rank);
  // null without samples. Floors are Describe's business.
  std::optional<double> Percentile(int percent);
  Distribution Describe();

 private:
  std::vector<std::pair<double, double>> Curve() const;  // Distribution::curve; sorted values only

  std::vector<std::pair<double, std::int64_t>> values_;
  std::int64_t count_ = 0;
  bool sorted_ = true;
};

// Wilson's score interval at 95 % for `met` of `count`; null if count is 0. Wilson 1927.
std::optional<std::pair<double, double>> Wilson95(int met, int count);

// Jain's index (Σx)² / (n Σx²); null with fewer than two values or if all are 0.
std::optional<double> Jain(const std::vector<double>& values);

// Arithmetic mean of one value or more, and the sum of their squared distances from it.
double Mean(const std::vector<double>& values);
double SquaredDistances(const std::vector<double>& values);

// Sample standard deviation / mean; null with fewer than two values or mean 0.
std::optional<double> VariationCoefficient(const std::vector<double>& values);

std::optional<double> Median(std::vector<double> values);  // mean of the middle two if even

}  // namespace cbench::report
