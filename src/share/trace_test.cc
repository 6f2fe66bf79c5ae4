#include "share/trace.h"

namespace cbench::share {
namespace {

std::string ErrorOf(std::string_view text) {
  const auto trace = ParseTrace(text, "x.steps");
  return trace ? "" : trace.error().message;
}

TEST(TraceTest, ReadsAppsRequestsAndSteps) {
  const auto trace = ParseTrace(
      "# a comment\n"
      "app chat latency weight=2.5\n"
      "request at=1s deadline=2s per_step=250ms times=2 every=4s  # two\n"
      "step prefill cost=40ms size=512 times=3\n"
      "step decode cost=9ms gap=500us\r\n"
      "request after=1s\n"
      "step vae cost=1ms\n",
      "x");
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_EQ(trace->size(), 1u);
  const TraceApp& chat = trace->front();
  EXPECT_EQ(chat.weight, 2.5);
  ASSERT_EQ(chat.requests.size(), 3u);
  EXPECT_EQ(chat.requests[1].at, 5 * kSecond);
  ASSERT_EQ(chat.requests[1].steps.size(), 4u);
  EXPECT_EQ(chat.requests[1].steps[3].gap, 500 * kMicrosecond);
  EXPECT_TRUE(chat.requests[2].after);
}

TEST(TraceTest, ErrorsNameTheLine) {
  EXPECT_EQ(ErrorOf("\nstep decode cost=1ms\n"), "x.steps:2: a step needs a request above it");
  EXPECT_THAT(ErrorOf("request at=1s"), testing::HasSubstr("needs an app"));
  EXPECT_THAT(ErrorOf("app a urgent"), testing::HasSubstr("urgent"));
  EXPECT_THAT(ErrorOf("app a latency weight=-1"), testing::HasSubstr("above 0"));
  for (const std::string number : {"nan", "inf", "1e300"})
    EXPECT_THAT(ErrorOf("app a latency weight=" + number), testing::HasSubstr("above 0"));
  EXPECT_THAT(ErrorOf("app a latency\nrequest at=2h"), testing::HasSubstr("hour"));
  EXPECT_THAT(ErrorOf("app a latency colour=red"), testing::HasSubstr("colour"));
  EXPECT_THAT(ErrorOf("app a latency\nrequest\nstep decode"), testing::HasSubstr("cost"));
  EXPECT_THAT(ErrorOf("app a latency\nrequest at=soon"), testing::HasSubstr("soon"));
  EXPECT_THAT(ErrorOf("ap a"), testing::HasSubstr("expected app"));
}

TEST(TraceTest, AShortTextCannotAskForMuchMemory) {
  EXPECT_THAT(ErrorOf("app a latency\nrequest times=999999999"), testing::HasSubstr("up to"));
  EXPECT_THAT(ErrorOf("app a latency\nrequest times=100000\nstep vae cost=1ms times=100000"),
              testing::HasSubstr("shorten"));
}

}  // namespace
}  // namespace cbench::share
