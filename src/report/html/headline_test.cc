#include "report/html/headline.h"

#include <gtest/gtest.h>

#include "report/testing.h"

namespace cbench::report {
namespace {

Tape& Paint(Tape& tape, const char* strategy, Nanos step) {
  return tape.Run(strategy)
      .Task(0, "paint", "started")
      .Done(Image(step))
      .Task(8000, "paint", "finished")
      .End();
}

TEST(Headline, OfOneRunNamesWhatMetAndWhatMissed) {
  Tape good, bad;
  EXPECT_EQ(Headline(Tape().Compute()), "The record holds no run.");
  Paint(good, "greedy", 500);
  const std::string text = Headline(good.Compute());
  EXPECT_NE(text.find("paint"), std::string::npos) << text;
  EXPECT_NE(text.find("The workflow took 8.00 s."), std::string::npos) << text;
  Paint(bad, "greedy", 1500);
  EXPECT_NE(Headline(bad.Compute()).find("paint (0 %)"), std::string::npos);
}

TEST(Headline, OfStrategiesNamesWhatMissedUnderWhich) {
  Tape tape;
  Paint(Paint(tape, "greedy", 1500), "credit", 500);
  EXPECT_EQ(
      Headline(tape.Compute()),
      "No strategy met every SLO: under greedy chat (nothing issued) and art (0 %) missed SLOs "
      "and under credit chat (nothing issued) missed SLOs.");
}

TEST(Headline, OfARunThatDidNotEndSaysSo) {
  Tape tape;
  tape.Run().Task(0, "paint", "started");
  EXPECT_NE(Headline(tape.Compute()).find("did not come to its end"), std::string::npos);
}

}  // namespace
}  // namespace cbench::report
