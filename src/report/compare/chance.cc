#include "report/compare/chance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/statistics.h"

namespace cbench::report {
namespace {

// Probability that |t| of df degrees of freedom is below `t`.
double StudentWithin(double t, int df) {
  const double theta = std::atan(t / std::sqrt(df)), sine = std::sin(theta),
               cosine = std::cos(theta);
  const bool odd = df % 2 == 1;
  double term = odd ? cosine : 1, sum = df == 1 ? 0 : term;
  for (int k = odd ? 3 : 2; k <= df - 2; k += 2) {
    term *= cosine * cosine * (k - 1) / k;
    sum += term;
  }
  return odd ? 2 / std::numbers::pi * (theta + sine * sum) : sine * sum;
}

}  // namespace

double StudentQuantile(double p, int df) {
  const double within = 2 * p - 1;
  double low = 0, high = 1;
  while (StudentWithin(high, df) < within && high < 1e12) high *= 2;
  constexpr int kHalvings = 100;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (StudentWithin(middle, df) < within ? low : high) = middle;
  }
  return high;
}

std::optional<double> NoiseFloor(const std::vector<double>& a, const std::vector<double>& b,
                                 double confidence) {
  if (a.empty() || b.empty() || a.size() + b.size() < 3) return std::nullopt;
  const int df = static_cast<int>(a.size() + b.size()) - 2;
  const double variance = (SquaredDistances(a) + SquaredDistances(b)) / df;
  const double parts = 1 / static_cast<double>(a.size()) + 1 / static_cast<double>(b.size());
  return StudentQuantile((1 + confidence) / 2, df) * std::sqrt(variance * parts);
}

std::optional<Bounds> DifferenceOfShares(int met_a, int count_a, int met_b, int count_b) {
  const auto a = Wilson95(met_a, count_a), b = Wilson95(met_b, count_b);
  if (!a || !b) return std::nullopt;
  const double share_a = static_cast<double>(met_a) / count_a;
  const double share_b = static_cast<double>(met_b) / count_b;
  const double down = std::hypot(share_b - b->first, a->second - share_a);
  const double up = std::hypot(b->second - share_b, share_a - a->first);
  return Bounds(share_b - share_a - down, share_b - share_a + up);
}

}  // namespace cbench::report
