#include "embedded/text_slot.h"

#include <gtest/gtest.h>

namespace cbench::embedded {
namespace {

using Tokens = std::vector<llama_token>;

TEST(CommonPrefix, CountsEqualTokensAtTheStart) {
  EXPECT_EQ(CommonPrefix({1, 2, 3}, {1, 2, 4, 5}), 2);
  EXPECT_EQ(CommonPrefix({1, 2}, {1, 2, 3}), 2);
  EXPECT_EQ(CommonPrefix({1, 2, 3}, {1, 2}), 2);
  EXPECT_EQ(CommonPrefix({}, {1}), 0);
  EXPECT_EQ(CommonPrefix({2}, {1}), 0);
}

TEST(ChooseSlot, TakesTheLongestCachedPrefix) {
  std::vector<TextSlot> slots;
  slots.emplace_back(0, Tokens{9});
  slots.emplace_back(1, Tokens{1, 2});
  slots.emplace_back(2, Tokens{1, 2, 3});
  EXPECT_EQ(ChooseSlot(slots, {1, 2, 3, 4})->id(), 2);
  EXPECT_EQ(ChooseSlot(slots, {1, 2, 7})->id(), 1);
}

TEST(ChooseSlot, IgnoresAPrefixThatAllPromptsShare) {
  std::vector<TextSlot> slots;
  slots.emplace_back(0);
  slots.emplace_back(1, Tokens{1, 2, 3, 4, 5});
  Tokens prompt(100, 7);
  prompt[0] = 1;  // only the first token is the same
  EXPECT_EQ(ChooseSlot(slots, prompt)->id(), 0);
}

TEST(ArgMax, FindsTheFirstOfTheLargest) {
  std::vector<float> values(1000, -5.0f);
  EXPECT_EQ(ArgMax(values.data(), 1000), 0);
  values[700] = 2;
  values[999] = 2;
  EXPECT_EQ(ArgMax(values.data(), 1000), 700);
  values[999] = 3;
  EXPECT_EQ(ArgMax(values.data(), 1000), 999);
  EXPECT_EQ(ArgMax(values.data(), 1), 0);
}

}  // namespace
}  // namespace cbench::embedded
