#include "report/compare/chance.h"

#include <gtest/gtest.h>

namespace cbench::report {
namespace {

RepetitionSamples Requests(const std::vector<double>& values) {
  RepetitionSamples requests;
  for (const double value : values) requests.push_back({{value, 1}});
  return requests;
}

TEST(Student, HasTheQuantilesOfThePrintedTables) {
  const struct {
    double p;
    int df;
    double t;
  } cases[] = {{.975, 1, 12.7062}, {.975, 2, 4.3027},  {.975, 3, 3.1824}, {.975, 4, 2.7764},
               {.975, 5, 2.5706},  {.975, 30, 2.0423}, {.995, 4, 4.6041}, {.995, 1, 63.6567},
               {.9995, 9, 4.7809}, {.95, 120, 1.6577}};
  for (const auto& c : cases)
    EXPECT_NEAR(StudentQuantile(c.p, c.df), c.t, 5e-5) << c.p << ' ' << c.df;
}

TEST(NoiseFloor, PoolsTheVarianceWithinTheSets) {
  // Sums of squares 2 and 8 over df 4: variance 2.5; t · √(2.5 · (1/3 + 1/3)) = 2.7764 · 1.29099.
  EXPECT_NEAR(*NoiseFloor({1, 2, 3}, {2, 4, 6}, .95), 3.5844, 1e-4);
  // One value has no variance of its own: 12.7062 · √(2 · (1/2 + 1)).
  EXPECT_NEAR(*NoiseFloor({1, 3}, {5}, .95), 22.0078, 1e-4);
}

TEST(NoiseFloor, IsUnknownWithoutRepetitionsAndZeroWithoutSpread) {
  EXPECT_FALSE(NoiseFloor({1}, {2}, .95));
  EXPECT_FALSE(NoiseFloor({}, {1, 2, 3}, .95));
  EXPECT_EQ(NoiseFloor({2, 2}, {3, 3}, .95), 0);
}

TEST(DifferenceOfShares, IsNewcombesExample) {
  // 56/70 against 48/80, table II of the paper: 0.0524 to 0.3339.
  const auto bounds = DifferenceOfShares(48, 80, 56, 70);
  ASSERT_TRUE(bounds);
  EXPECT_NEAR(bounds->first, 0.0524, 5e-5);
  EXPECT_NEAR(bounds->second, 0.3339, 5e-5);
  EXPECT_FALSE(DifferenceOfShares(0, 0, 1, 2));
}

TEST(DifferenceOfShares, OfTwoFullSharesIncludesNone) {
  const auto bounds = DifferenceOfShares(10, 10, 10, 10);
  EXPECT_LT(bounds->first, 0);
  EXPECT_GT(bounds->second, 0);
}

TEST(Percentile, IsOverTheSamplesOfAllRepetitions) {
  const SetSamples set = {Requests({5, 1}), Requests({3}), {}, {{{2, 1}, {4, 3}}}};
  EXPECT_EQ(PercentileOf(set, 50), 4);  // 1 2 3 4 4 4 5
  EXPECT_EQ(PercentileOf(set, 14), 1);
  EXPECT_EQ(PercentileOf(set, 15), 2);
  EXPECT_EQ(PercentileOf(set, 100), 5);
  EXPECT_FALSE(PercentileOf({{}, {}}, 50));
}

TEST(Bootstrap, OfConstantsIsTheirRatio) {
  const SetSamples two = {Requests({2, 2}), Requests({2})}, three = {Requests({3, 3, 3})};
  EXPECT_EQ(BootstrapRatio(two, three, 50), Bounds(1.5, 1.5));
}

TEST(Bootstrap, ReachesAsFarAsItsRequests) {
  // The median of two draws out of {1, 3} is 1 three times in four, else 3.
  EXPECT_EQ(BootstrapRatio({Requests({1, 3})}, {Requests({3, 3})}, 50), Bounds(1, 3));
}

TEST(Bootstrap, TakesARequestWithAllItsSamples) {
  // As single samples the median would be 1 nearly always.
  const RequestSamples fast(60, {1, 1}), slow(40, {2, 1});
  EXPECT_EQ(BootstrapRatio({{fast, slow}}, {Requests({1, 1})}, 50), Bounds(0.5, 1));
}

TEST(Bootstrap, DrawsRepetitionsToo) {
  // Within each repetition nothing varies, between them everything does.
  const SetSamples set = {Requests({1, 1, 1}), Requests({2, 2, 2}), Requests({4, 4, 4})};
  EXPECT_EQ(BootstrapRatio(set, {Requests({4, 4, 4})}, 50), Bounds(1, 4));
}

TEST(Bootstrap, NeedsTwoRequestsAndPercentilesAboveZero) {
  EXPECT_FALSE(BootstrapRatio({Requests({1})}, {Requests({1, 2})}, 50));
  EXPECT_FALSE(BootstrapRatio({}, {Requests({1, 2})}, 50));
  EXPECT_FALSE(BootstrapRatio({Requests({0, 0})}, {Requests({1, 2})}, 50));
}

TEST(Bootstrap, SaysTheSameTwice) {
  const SetSamples a = {Requests({1, 2, 3, 4, 5, 6, 7})}, b = {Requests({2, 3, 5, 7, 11, 13})};
  EXPECT_EQ(BootstrapRatio(a, b, 50), BootstrapRatio(a, b, 50));
}

}  // namespace
}  // namespace cbench::report
