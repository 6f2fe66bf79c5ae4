#include "scenario/suggest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace cbench::scenario {
namespace {

using Words = std::vector<std::string>;

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("grede", "grede"), 0u);
  EXPECT_EQ(EditDistance("txet", "text"), 1u);  // neighbours swapped
  EXPECT_EQ(EditDistance("TTFT", "ttft"), 0u);
}

TEST(Suggest, NearestOrTheList) {
  const Words known = {"greedy", "credit"};
  EXPECT_EQ(Suggest("gredy", known), "did you mean 'greedy'?");
  EXPECT_EQ(Suggest("lottery", known), "known: greedy, credit");
  EXPECT_EQ(Suggest("x", Words{}), "");
  EXPECT_EQ(Suggest(std::string(5000, 'x'), known), "known: greedy, credit");
}

TEST(Quote, KeepsMessagesToOneReadableLine) {
  EXPECT_EQ(Quote("a\nb\x1b"), "'a b '");
  const std::string long_word(199, 'x');
  EXPECT_EQ(Quote(fmt::format("{}ü{}", long_word, long_word)), fmt::format("'{}…'", long_word));
}

}  // namespace
}  // namespace cbench::scenario
