#include "embedded/prompt_pace.h"

#include <gtest/gtest.h>

namespace cbench::embedded {
namespace {

TEST(PromptPaceTest, IsUnlimitedUntilAStepWasSeenOrNobodyWaits) {
  PromptPace pace(256);
  EXPECT_EQ(pace.Tokens(15 * kMillisecond), 256);
  pace.Note(256, 50 * kMillisecond);
  EXPECT_EQ(pace.Tokens(0), 256);
}

TEST(PromptPaceTest, FindsTheLengthOfAStepWithAFixedCost) {
  PromptPace pace(256);
  int tokens = 256;
  for (int i = 0; i < 50; ++i) {  // 5 ms a step and 0.1 ms a token
    pace.Note(tokens, 5 * kMillisecond + tokens * kMillisecond / 10);
    tokens = pace.Tokens(15 * kMillisecond);
  }
  EXPECT_NEAR(tokens, 100, 2);
}

TEST(PromptPaceTest, FitsNothingIntoTooLittleTime) {
  PromptPace pace(256);
  EXPECT_EQ(pace.TokensWithin(1), 256);  // nothing is known yet
  pace.Note(100, 100 * kMillisecond);
  EXPECT_EQ(pace.TokensWithin(60 * kMillisecond), 60);
  EXPECT_EQ(pace.TokensWithin(20 * kMillisecond), 0);
  EXPECT_EQ(pace.TokensWithin(-kSecond), 0);
}

TEST(PromptPaceTest, KnowsWhatAStepOfAnswersTakes) {
  PromptPace pace(256);
  EXPECT_EQ(pace.answer(), 0);
  pace.NoteAnswer(10 * kMillisecond);
  pace.NoteAnswer(20 * kMillisecond);
  EXPECT_EQ(pace.answer(), 12 * kMillisecond);
}

TEST(PromptPaceTest, KeepsPromptsMovingHoweverSlowTheDevice) {
  PromptPace pace(256);
  pace.Note(32, 10 * kSecond);
  EXPECT_EQ(pace.Tokens(15 * kMillisecond), 32);
  PromptPace small(8);
  small.Note(8, 10 * kSecond);
  EXPECT_EQ(small.Tokens(15 * kMillisecond), 8);
}

}  // namespace
}  // namespace cbench::embedded
