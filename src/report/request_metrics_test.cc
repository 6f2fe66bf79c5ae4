#include "report/request_metrics.h"

#include <gtest/gtest.h>

namespace cbench::report {
namespace {

using record::RequestDone;

constexpr Nanos kMs = kMillisecond;

// Wanted at 1000 ms, sent at 1010, reasoning from 1210, content from 1310, last token at 1810,
// closed at 1820. Four chunks: 2, 1, 3 and 2 tokens.
RequestDone Chat() {
  RequestDone done;
  done.kind = "chat";
  done.t_sched = 1000 * kMs;
  done.t_send = 1010 * kMs;
  done.t_first = 1210 * kMs;
  done.t_first_content = 1310 * kMs;
  done.t_last = 1810 * kMs;
  done.t_end = 1820 * kMs;
  done.deltas = {0, 100 * kMs, 300 * kMs, 200 * kMs};
  done.counts = {2, 1, 3, 2};
  done.stream_tokens = 8;
  return done;
}

TEST(TextMetrics, HandWorked) {
  const RequestDone done = Chat();
  EXPECT_DOUBLE_EQ(*TtftService(done), 0.200);
  EXPECT_DOUBLE_EQ(*TtftResponse(done), 0.210);
  EXPECT_DOUBLE_EQ(*Ttfo(done), 0.300);
  EXPECT_DOUBLE_EQ(*E2eService(done), 0.810);
  EXPECT_DOUBLE_EQ(*E2eResponse(done), 0.820);
  EXPECT_DOUBLE_EQ(*DispatchDelay(done), 0.010);
  EXPECT_EQ(OutputTokens(done), 8);
  EXPECT_EQ(FirstChunkTokens(done), 2);
  EXPECT_DOUBLE_EQ(*Tpot(done), 0.600 / 6);
}

TEST(TextMetrics, TpotUsesTheServersCount) {
  RequestDone done = Chat();
  done.usage_tokens = 12;
  EXPECT_EQ(OutputTokens(done), 12);
  EXPECT_DOUBLE_EQ(*Tpot(done), 0.600 / 10);
}

TEST(TextMetrics, FirstChunkCountsOneIfUnknown) {
  RequestDone done = Chat();
  done.counts.clear();
  EXPECT_DOUBLE_EQ(*Tpot(done), 0.600 / 7);
}

TEST(TextMetrics, NoTpotForOneChunk) {
  RequestDone done = Chat();
  done.usage_tokens = 2;
  EXPECT_FALSE(HasTpot(done));
  EXPECT_EQ(Tpot(done), std::nullopt);
}

TEST(TextMetrics, NoTpotFromAServerThatDoesNotStream) {
  RequestDone done = Chat();
  done.t_last = done.t_first;
  EXPECT_EQ(Tpot(done), std::nullopt) << "0 s per token would pass every objective";
}

TEST(TextMetrics, AbsentOrReversedStampsGiveNothing) {
  RequestDone done = Chat();
  done.t_first = 0;
  EXPECT_EQ(TtftService(done), std::nullopt);
  EXPECT_EQ(TtftResponse(done), std::nullopt);
  EXPECT_EQ(Tpot(done), std::nullopt);
  done.t_first = done.t_send - 1;
  EXPECT_EQ(TtftService(done), std::nullopt);
  done.t_end = 0;
  EXPECT_EQ(E2eService(done), std::nullopt);
}

TEST(TextMetrics, ItlSpreadsAGapOverTheLaterChunksTokens) {
  // Gaps: 100 ms for 1 token, 300 for 3, 200 for 2: six gaps of 100 ms. TTFT is not among them.
  Samples itl;
  AddItl(Chat(), itl);
  EXPECT_EQ(itl.count(), 6);
  EXPECT_DOUBLE_EQ(*itl.Percentile(1), 0.100);
  EXPECT_DOUBLE_EQ(*itl.Percentile(100), 0.100);
}

TEST(TextMetrics, ItlOfAHugeChunkTakesNoMemory) {
  RequestDone done = Chat();
  done.counts = {1, 2'000'000'000, 2'000'000'000, 1};
  Samples itl;
  AddItl(done, itl);
  EXPECT_EQ(itl.count(), 4'000'000'001);
}

TEST(TextMetrics, Fluidity) {
  const struct {
    double target;
    double fluidity;
  } cases[] = {
      // Tokens 0,1 at 0; 2 at 100; 3,4,5 at 400; 6,7 at 600 ms; deadline of token k: k · target.
      {1.0, 1.0},           // all in time
      {0.100, 1 - 1. / 7},  // only token 3 (due at 300 ms, came at 400) is late
      {0.050, 1 - 5. / 7},  // 2 is just in time; 3…7 are late
      {0.010, 1 - 6. / 7},  // only token 1 is in time
  };
  for (const auto& c : cases)
    EXPECT_NEAR(*Fluidity(Chat(), c.target), c.fluidity, 1e-9) << c.target;
  EXPECT_EQ(Fluidity(RequestDone{}, 0.1), std::nullopt);
}

TEST(ImageMetrics, HandWorked) {
  RequestDone done;
  done.t_send = 100 * kMs;
  done.steps = {900 * kMs, 1400 * kMs, 2000 * kMs};
  EXPECT_DOUBLE_EQ(*FirstStep(done), 0.8);
  ASSERT_TRUE(LaterSteps(done));
  EXPECT_EQ(LaterSteps(done)->size(), 2u);
  EXPECT_DOUBLE_EQ(LaterSteps(done)->at(0), 0.5);
  EXPECT_DOUBLE_EQ(LaterSteps(done)->at(1), 0.6);
  done.steps = {900 * kMs, 800 * kMs};
  EXPECT_EQ(LaterSteps(done), std::nullopt);
}

TEST(AudioMetrics, HandWorked) {
  RequestDone done;
  done.t_available = 4000 * kMs;
  done.t_send = 4100 * kMs;
  done.t_end = 4600 * kMs;
  done.audio = 2000 * kMs;
  EXPECT_DOUBLE_EQ(*SegmentLatency(done), 0.6);
  EXPECT_DOUBLE_EQ(*Rtf(done), 0.25);
  done.audio = 0;
  EXPECT_EQ(Rtf(done), std::nullopt);
}

TEST(Judge, ComparesWithTheTarget) {
  const struct {
    const char* metric;
    double target;
    Judged::Outcome outcome;
  } cases[] = {{"ttft", 0.210, Judged::kMet},    {"ttft", 0.205, Judged::kMissed},
               {"tpot", 0.100, Judged::kMet},    {"tpot", 0.099, Judged::kMissed},
               {"e2e", 0.820, Judged::kMet},     {"e2e", 0.815, Judged::kMissed},
               {"step", 1.0, Judged::kMissing},  {"segment", 1.0, Judged::kMissing},
               {"beauty", 1.0, Judged::kMissing}};
  for (const auto& c : cases)
    EXPECT_EQ(Judge(c.metric, c.target, Chat()).outcome, c.outcome) << c.metric << c.target;
}

TEST(Judge, TellsNotApplicableFromMissing) {
  RequestDone one_token = Chat();
  one_token.usage_tokens = 1;
  EXPECT_EQ(Judge("tpot", 0.25, one_token).outcome, Judged::kNotApplicable);
  RequestDone nothing;
  nothing.t_send = 1;
  nothing.t_end = 2;
  EXPECT_EQ(Judge("tpot", 0.25, nothing).outcome, Judged::kMissing);
  EXPECT_EQ(Judge("ttft", 0.25, nothing).outcome, Judged::kMissing);
  RequestDone uncounted = Chat();
  uncounted.stream_tokens = 0;
  EXPECT_EQ(Judge("tpot", 0.25, uncounted).outcome, Judged::kMissing);
}

TEST(Judge, AnImageNeedsEveryStepInTime) {
  RequestDone done;
  done.t_send = 100 * kMs;
  done.steps = {1000 * kMs, 1500 * kMs, 2600 * kMs};
  EXPECT_EQ(Judge("step", 1.1, done).outcome, Judged::kMet);
  EXPECT_EQ(Judge("step", 1.0, done).outcome, Judged::kMissed) << "the last one took 1.1 s";
  EXPECT_EQ(Judge("step", 1.0, done).values.size(), 3u);
  done.steps = {1300 * kMs, 1500 * kMs};
  EXPECT_EQ(Judge("step", 1.0, done).outcome, Judged::kMissed) << "the first one took 1.2 s";
}

}  // namespace
}  // namespace cbench::report
