#include "share/cost_model.h"

#include <random>

namespace cbench::share {
namespace {

constexpr StepKind kKind = StepKind::kPrefill;

TEST(CostModelTest, NothingSeenIsGuessedTooLong) {
  const CostModel model;
  const Cost cost = model.Predict(0, kKind, 64);
  EXPECT_FALSE(cost.known);
  EXPECT_EQ(cost.mean, CostModel::kUnknownCost);
}

TEST(CostModelTest, SeenOnceStandsForItselfWithAMargin) {
  CostModel model;
  model.Learn(3, kKind, 64, 1000);
  const Cost cost = model.Predict(3, kKind, 64);
  EXPECT_TRUE(cost.known);
  EXPECT_EQ(cost.mean, 1000);
  EXPECT_EQ(cost.q95, 1500);
}

TEST(CostModelTest, AnotherSizeIsScaledButItsQ95NeverDownwards) {
  CostModel model;
  model.Learn(3, kKind, 64, 1000);
  EXPECT_EQ(model.Predict(3, kKind, 128).mean, 2000);
  EXPECT_EQ(model.Predict(3, kKind, 128).q95, 3000);
  EXPECT_EQ(model.Predict(3, kKind, 32).mean, 500);
  EXPECT_EQ(model.Predict(3, kKind, 32).q95, 1500);
  EXPECT_FALSE(model.Predict(3, kKind, 128).known);
}

TEST(CostModelTest, TheNearestSizeIsTheOneScaled) {
  CostModel model;
  model.Learn(3, kKind, 8, 100);
  model.Learn(3, kKind, 512, 4000);
  EXPECT_EQ(model.Predict(3, kKind, 16).mean, 200);
  EXPECT_EQ(model.Predict(3, kKind, 256).mean, 2000);
}

TEST(CostModelTest, AccountsAndKindsAreApart) {
  CostModel model;
  model.Learn(0, kKind, 64, 1000);
  EXPECT_EQ(model.Predict(1, kKind, 64).mean, CostModel::kUnknownCost);
  EXPECT_EQ(model.Predict(0, StepKind::kDecode, 64).mean, CostModel::kUnknownCost);
}

TEST(CostModelTest, ForgetEmptiesOneAccount) {
  CostModel model;
  for (int account : {0, 1}) model.Learn(account, kKind, 64, 1000);
  model.Forget(0);
  EXPECT_FALSE(model.Predict(0, kKind, 64).known);
  EXPECT_TRUE(model.Predict(1, kKind, 64).known);
}

TEST(CostModelTest, AFullTableForgetsOldShapesAndKeepsTheLatest) {
  CostModel model;
  for (int account = 0; account < kMaxAccounts; ++account)
    for (int size = 1; size < 4000; size *= 2) model.Learn(account, kKind, size, 1000 + size);
  EXPECT_EQ(model.Predict(kMaxAccounts - 1, kKind, 2048).mean, 3048);
}

TEST(CostModelTest, FollowsADeviceThatSlowsDown) {
  CostModel model;
  for (int i = 0; i < 50; ++i) model.Learn(0, kKind, 64, 1000);
  for (int i = 0; i < 30; ++i) model.Learn(0, kKind, 64, 3000);
  EXPECT_NEAR(static_cast<double>(model.Predict(0, kKind, 64).mean), 3000, 30);
  EXPECT_GE(model.Predict(0, kKind, 64).q95, model.Predict(0, kKind, 64).mean);
}

// Steps of real engines have a body and a tail; the q95 must cover about 95 of 100 of them.
TEST(CostModelTest, Q95CoversAboutThatManyAndTheErrorSaysSo) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    CostModel model;
    std::mt19937 random(seed);
    std::lognormal_distribution<double> cost(std::log(5e6), 0.2);
    for (int i = 0; i < 4000; ++i) model.Learn(0, kKind, 64, static_cast<Nanos>(cost(random)));
    EXPECT_GT(model.Error(0).Coverage(), 0.90);
    EXPECT_LT(model.Error(0).Coverage(), 0.99);
    EXPECT_LT(model.Error(0).Relative(), 0.25);
  }
}

}  // namespace
}  // namespace cbench::share
