#include "embedded/text_plan.h"

namespace cbench::embedded {
namespace {

using share::AppClass;
using testing::ElementsAre;

constexpr Nanos kMs = kMillisecond;
constexpr Nanos kNow = 100 * kSecond;

// A step of 100 prompt tokens takes 50 ms, a step of answers 10 ms.
class PlanStepTest : public testing::Test {
 protected:
  PlanStepTest() {
    pace_.Note(100, 50 * kMs);
    pace_.NoteAnswer(10 * kMs);
  }
  static Claim Answer(AppClass app_class, Nanos due = 0) {
    return {.app_class = app_class, .served = kNow, .deadline = due == 0 ? 0 : kNow + due * kMs};
  }
  static Claim Prompt(AppClass app_class, int tokens, Nanos begun = 0) {
    return {.app_class = app_class, .begun = begun, .served = kNow, .prompt_left = tokens};
  }
  std::vector<int> Plan(const std::vector<Claim>& claims) const {
    return PlanStep(claims, pace_, limits_, kNow);
  }

  PromptPace pace_{256};
  StepLimits limits_{.tokens = 256, .longest = 0, .arranged = true};
};

TEST_F(PlanStepTest, AnswersFirstThenPromptsInTheirOrder) {
  limits_.arranged = false;
  EXPECT_THAT(Plan({Prompt(AppClass::kLatency, 300, 2), Answer(AppClass::kLatency, 1),
                    Prompt(AppClass::kBackground, 100, 1)}),
              ElementsAre(155, 1, 100));
}

TEST_F(PlanStepTest, ArrangedPromptsGoByClassAndArePaced) {
  limits_.longest = 30 * kMs;
  EXPECT_THAT(Plan({Prompt(AppClass::kBackground, 100, 1), Prompt(AppClass::kLatency, 40, 2)}),
              ElementsAre(20, 40));
}

TEST_F(PlanStepTest, ABackgroundPromptGetsWhatTheAnswersCanSpare) {
  EXPECT_THAT(Plan({Answer(AppClass::kLatency, 60), Prompt(AppClass::kBackground, 500)}),
              ElementsAre(1, 100));
  EXPECT_THAT(Plan({Answer(AppClass::kLatency, 15), Prompt(AppClass::kBackground, 500)}),
              ElementsAre(1, 0));
  EXPECT_THAT(Plan({Answer(AppClass::kLatency, 15), Prompt(AppClass::kLatency, 100)}),
              ElementsAre(1, 100));
}

TEST_F(PlanStepTest, ABackgroundAnswerPausesOnlyWhenAnAnswerIsLate) {
  EXPECT_THAT(Plan({Answer(AppClass::kLatency, 11), Answer(AppClass::kBackground)}),
              ElementsAre(1, 1));
  EXPECT_THAT(Plan({Answer(AppClass::kLatency, 5), Answer(AppClass::kBackground)}),
              ElementsAre(1, 0));
  // Who is a second late has lost.
  EXPECT_THAT(Plan({Answer(AppClass::kLatency, -1500), Answer(AppClass::kBackground)}),
              ElementsAre(1, 1));
}

TEST_F(PlanStepTest, WhoGotNothingForTheStarvationBoundGoesAllTheSame) {
  Claim starved = Prompt(AppClass::kBackground, 500);
  starved.served = kNow - 2 * kSecond;
  limits_.longest = 30 * kMs;
  EXPECT_THAT(Plan({Answer(AppClass::kLatency, 5), starved}), ElementsAre(1, 60));
}

}  // namespace
}  // namespace cbench::embedded
