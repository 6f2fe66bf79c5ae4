#include "report/statistics.h"

#include <algorithm>
#include <cmath>

namespace cbench::report {

void Samples::Add(double value, std::int64_t weight) {
  values_.emplace_back(value, weight);
  count_ += weight;
  sorted_ = false;
}

void Samples::Add(std::optional<double> value) {
  if (value) Add(*value, 1);
}

void Samples::Add(const Samples& others) {
  values_.insert(values_.end(), others.values_.begin(), others.values_.end());
  count_ += others.count_;
  sorted_ = false;
}

std::optional<double> Samples::Percentile(int percent) {
  if (count_ == 0) return std::nullopt;
  if (!sorted_) std::sort(values_.begin(), values_.end());
  sorted_ = true;
  // ceil(percent · n / 100), without overflow for any n.
  std::int64_t rank = count_ / 100 * percent + (count_ % 100 * percent + 99) / 100;
  for (const auto& [value, weight] : values_) {
    rank -= weight;
    if (rank <= 0) return value;
  }
  return values_.back().first;
}

Distribution Samples::Describe() {
  Distribution result;
  result.samples = static_cast<std::size_t>(count_);
  if (count_ == 0) return result;
  result.p50 = Percentile(50);
  if (count_ >= kFloorP90) result.p90 = Percentile(90);
  if (count_ >= kFloorP95) result.p95 = Percentile(95);
  if (count_ >= kFloorP99) result.p99 = Percentile(99);
  result.max = Percentile(100);
  double sum = 0;
  for (const auto& [value, weight] : values_) sum += value * static_cast<double>(weight);
  result.mean = sum / static_cast<double>(count_);
  result.curve = Curve();
  return result;
}

// A point each hundredth, and in the tail each twentieth of what is left, so that p99.9 is there.
std::vector<std::pair<double, double>> Samples::Curve() const {
  constexpr double kStep = 0.01, kTailStep = 0.05;
  std::vector<std::pair<double, double>> curve;
  std::int64_t seen = 0;
  double next = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const auto& [value, weight] = values_[i];
    seen += weight;
    const double share = static_cast<double>(seen) / static_cast<double>(count_);
    const bool is_last = i + 1 == values_.size();
    if (!is_last && (share < next || values_[i + 1].first == value)) continue;
    curve.emplace_back(value, share);
    next = share + std::min(kStep, kTailStep * (1 - share));
  }
  return curve;
}

std::optional<std::pair<double, double>> Wilson95(int met, int count) {
  if (count <= 0) return std::nullopt;
  constexpr double z = 1.959963984540054;  // 97.5 % quantile of the standard normal
  const double n = count, p = met / n, z2 = z * z;
  const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = z / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  return std::pair{std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

std::optional<double> Jain(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  if (values.size() < 2 || squares <= 0) return std::nullopt;
  return sum * sum / (static_cast<double>(values.size()) * squares);
}

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double SquaredDistances(const std::vector<double>& values) {
  const double mean = Mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

std::optional<double> VariationCoefficient(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const double mean = Mean(values);
  if (mean <= 0) return std::nullopt;
  return std::sqrt(SquaredDistances(values) / static_cast<double>(values.size() - 1)) / mean;
}

std::optional<double> Median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

}  // namespace cbench::report
