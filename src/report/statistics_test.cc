#include "report/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cbench::report {
namespace {

Samples OneTo(int n) {
  Samples samples;
  for (int i = n; i >= 1; --i) samples.Add(i);
  return samples;
}

TEST(Percentile, IsNearestRank) {
  // The textbook example: 15 20 35 40 50; ranks ceil(p·5/100).
  Samples samples;
  for (const double value : {35.0, 20.0, 15.0, 50.0, 40.0}) samples.Add(value);
  const std::pair<int, double> cases[] = {{5, 15},  {30, 20}, {40, 20},
                                          {50, 35}, {81, 50}, {100, 50}};
  for (const auto& [percent, value] : cases)
    EXPECT_EQ(samples.Percentile(percent), value) << percent;
  EXPECT_EQ(Samples().Percentile(50), std::nullopt);
}

TEST(Percentile, IsWithheldBelowItsFloor) {
  const struct {
    int n;
    bool p50, p90, p95, p99;
  } cases[] = {{0, false, false, false, false}, {1, true, false, false, false},
               {19, true, false, false, false}, {20, true, true, false, false},
               {39, true, true, false, false},  {40, true, true, true, false},
               {199, true, true, true, false},  {200, true, true, true, true}};
  for (const auto& c : cases) {
    const Distribution d = OneTo(c.n).Describe();
    EXPECT_EQ(d.samples, static_cast<std::size_t>(c.n));
    EXPECT_EQ(d.p50.has_value(), c.p50) << c.n;
    EXPECT_EQ(d.p90.has_value(), c.p90) << c.n;
    EXPECT_EQ(d.p95.has_value(), c.p95) << c.n;
    EXPECT_EQ(d.p99.has_value(), c.p99) << c.n;
    EXPECT_EQ(d.max.has_value(), c.p50) << c.n;
  }
}

TEST(Percentile, OfOneToTwoHundred) {
  const Distribution d = OneTo(200).Describe();
  EXPECT_EQ(d.p50, 100);
  EXPECT_EQ(d.p90, 180);
  EXPECT_EQ(d.p95, 190);
  EXPECT_EQ(d.p99, 198);
  EXPECT_EQ(d.max, 200);
  EXPECT_DOUBLE_EQ(*d.mean, 100.5);
}

TEST(Percentile, CountsWeights) {
  Samples samples;
  samples.Add(1.0, 3);
  samples.Add(10.0, 1);
  EXPECT_EQ(samples.count(), 4);
  EXPECT_EQ(samples.Percentile(75), 1);
  EXPECT_EQ(samples.Percentile(76), 10);
  EXPECT_DOUBLE_EQ(*samples.Describe().mean, 3.25);
}

// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine
// 17 (1998), table I, method 3.
TEST(Wilson, AgreesWithPublishedValues) {
  const struct {
    int met, count;
    double low, high;
  } cases[] = {{81, 263, 0.2553, 0.3662},
               {15, 148, 0.0624, 0.1605},
               {0, 20, 0.0, 0.1611},
               {1, 29, 0.0061, 0.1718}};
  for (const auto& c : cases) {
    const auto interval = Wilson95(c.met, c.count);
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->first, c.low, 5e-5) << c.met;
    EXPECT_NEAR(interval->second, c.high, 5e-5) << c.met;
  }
  EXPECT_EQ(Wilson95(0, 0), std::nullopt);
  EXPECT_NEAR(Wilson95(10, 10)->second, 1, 1e-12);
}

TEST(Jain, HandWorked) {
  EXPECT_DOUBLE_EQ(*Jain({0.5, 0.5, 0.5}), 1);
  EXPECT_DOUBLE_EQ(*Jain({1, 0}), 0.5);
  EXPECT_DOUBLE_EQ(*Jain({1, 0.5}), 2.25 / 2.5);
  EXPECT_EQ(Jain({0, 0}), std::nullopt) << "nobody got anything: neither fair nor unfair";
  EXPECT_EQ(Jain({1}), std::nullopt);
}

TEST(VariationCoefficient, HandWorked) {
  EXPECT_NEAR(*VariationCoefficient({9, 10, 11}), 0.1, 1e-12);
  EXPECT_EQ(VariationCoefficient({9}), std::nullopt);
  EXPECT_EQ(VariationCoefficient({0, 0}), std::nullopt);
}

TEST(Median, OfEvenAndOdd) {
  EXPECT_EQ(Median({}), std::nullopt);
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 2, 3}), 2.5);
}

TEST(Samples, CurveIsTheSharesOfFewAndTheTailOfMany) {
  Samples few, many;
  few.Add(3, 1), few.Add(1, 2), few.Add(3, 1);
  const std::vector<std::pair<double, double>> expected = {{1, 0.5}, {3, 1}};
  EXPECT_EQ(few.Describe().curve, expected);
  for (int i = 1; i <= 100'000; ++i) many.Add(i, 1);
  const auto curve = many.Describe().curve;
  EXPECT_LT(curve.size(), 400u);
  EXPECT_EQ(curve.back(), (std::pair<double, double>(100'000, 1)));
  EXPECT_GT(curve[curve.size() - 10].second, 0.999);
  for (const auto& [value, share] : curve) EXPECT_DOUBLE_EQ(value / 100'000, share);
}

}  // namespace
}  // namespace cbench::report
