#include "report/intervals.h"

#include <gtest/gtest.h>

namespace cbench::report {
namespace {

TEST(Intervals, UnionMergesWhatOverlapsOrTouches) {
  EXPECT_EQ(Union({{5, 7}, {0, 2}, {1, 3}, {3, 4}, {6, 6}, {9, 8}}), (Intervals{{0, 4}, {5, 7}}));
  EXPECT_EQ(Union({}), Intervals{});
}

TEST(Intervals, IntersectionHasThePointsOfBoth) {
  const Intervals a = {{0, 4}, {6, 10}}, b = {{2, 7}, {9, 20}};
  EXPECT_EQ(Intersection(a, b), (Intervals{{2, 4}, {6, 7}, {9, 10}}));
  EXPECT_EQ(Intersection(b, a), Intersection(a, b));
  EXPECT_EQ(Intersection({{0, 1}}, {{1, 2}}), Intervals{}) << "half-open";
}

TEST(Intervals, LengthIsTheSum) { EXPECT_EQ(Length({{0, 4}, {6, 7}}), 5); }

}  // namespace
}  // namespace cbench::report
