#include "share/simulator.h"

#include "base/file.h"

namespace cbench::share {
namespace {

constexpr Nanos kMs = kMillisecond;

Simulation Play(std::string_view text, std::string_view policy,
                const SimulatorOptions& options = {}, const PolicyParams& params = {}) {
  const auto trace = ParseTrace(text, "test");
  EXPECT_TRUE(trace) << trace.error().message;
  auto played = Simulate(*trace, **MakePolicy(policy, params), options);
  EXPECT_TRUE(played);
  return std::move(*played);
}

std::vector<Nanos> Releases(const Simulation& played) {
  std::vector<Nanos> ms;
  for (const SimulatedStep& step : played.steps) ms.push_back(step.released / kMs);
  return ms;
}

TEST(SimulatorTest, OneAppAloneTakesItsCostsAndGaps) {
  const auto played = Play(
      "app a latency\nrequest at=10ms deadline=25ms\nstep decode cost=5ms times=2\n"
      "request after=3ms\nstep decode cost=5ms gap=2ms\n",
      "fifo");
  EXPECT_THAT(Releases(played), testing::ElementsAre(15, 20, 30));
  EXPECT_EQ(played.apps[0].served, 15 * kMs);
  EXPECT_EQ(played.apps[0].met, 2);
  EXPECT_EQ(played.apps[0].longest_wait, 0);
}

TEST(SimulatorTest, ALateStepIsAMissOfItsRequest) {
  const auto played = Play(
      "app a latency\nrequest deadline=12ms per_step=4ms\n"
      "step prefill cost=5ms times=2\nstep decode cost=3ms\nstep decode cost=5ms\n",
      "fifo");
  EXPECT_FALSE(played.steps[2].Late());
  EXPECT_EQ(played.steps[3].deadline, 17 * kMs);
  EXPECT_TRUE(played.steps[3].Late());
  EXPECT_EQ(played.apps[0].met, 0);
}

constexpr char kTwo[] =
    "app front latency\nrequest at=2ms\nstep decode cost=4ms\n"
    "app back background\nrequest\nstep decode cost=10ms\n";

TEST(SimulatorTest, OnePlaceServesOneAfterTheOther) {
  EXPECT_THAT(Releases(Play(kTwo, "fifo")), testing::ElementsAre(10, 14));
}

TEST(SimulatorTest, OpenSharesTheDevice) {
  EXPECT_THAT(Releases(Play(kTwo, "open")), testing::ElementsAre(10, 14));
  EXPECT_EQ(Play(kTwo, "open").steps[0].app, 0);
}

TEST(SimulatorTest, APreemptingDevicePushesTheBackStepAside) {
  const auto played = Play(kTwo, "fifo", {.lanes = {1, 1, 2, true}});
  EXPECT_THAT(Releases(played), testing::ElementsAre(6, 14));
}

TEST(SimulatorTest, TwoPlacesRunTwoStepsAtFullSpeed) {
  const auto played = Play(kTwo, "fifo", {.lanes = {1, 1, 2, false}});
  EXPECT_THAT(Releases(played), testing::ElementsAre(6, 10));
}

TEST(SimulatorTest, APolicyThatGrantsNobodyIsAFailure) {
  struct Never final : Policy {
    using Policy::Policy;
    Choice Choose(const View&) const override { return {}; }
  };
  const auto trace = ParseTrace(kTwo, "test");
  EXPECT_FALSE(Simulate(*trace, Never(PolicyParams{})));
}

// What the hold is for: a caption of short passes beside long image steps.
constexpr char kPasses[] =
    "app captions latency\nrequest times=3 every=1s\n"
    "step decode_audio cost=6ms gap=1ms times=33\n"
    "app images background\nrequest\nstep denoise cost=40ms times=40\n";

TEST(SimulatorTest, HoldingKeepsACaptionTogether) {
  PolicyParams params;
  params.anticipate = false;
  const auto held = Play(kPasses, "credit");
  const auto torn = Play(kPasses, "credit", {}, params);
  EXPECT_LT(held.apps[0].took * 2, torn.apps[0].took);
  EXPECT_EQ(torn.idle_with_waiter, 0);
  EXPECT_GT(held.idle_with_waiter, 0);
  EXPECT_LE(held.longest_idle, params.hold);
}

TEST(SimulatorTest, WeightsShareABackloggedDevice) {
  const auto played = Play(
      "app a background weight=3\nrequest\nstep decode cost=10ms times=900\n"
      "app b background weight=1\nrequest\nstep decode cost=10ms times=900\n",
      "credit");
  Nanos b = 0;  // what b had while a had 9 s
  for (const SimulatedStep& step : played.steps) {
    if (step.app == 0 && step.released > 12 * kSecond) break;
    if (step.app == 1 && step.released <= 12 * kSecond) b += step.cost;
  }
  EXPECT_NEAR(ToSeconds(b), 3, 0.05);
}

// The shipped workload under each policy and without each part of `credit`.
class DemoTest : public testing::Test {
 protected:
  static Simulation Demo(std::string_view policy, const PolicyParams& params = {}) {
    const auto path = std::filesystem::path(CBENCH_SOURCE_DIR) / "tests/traces/demo.steps";
    return Play(*ReadFile(path), policy, {}, params);
  }
  static double MeanSeconds(const Simulation& played, std::size_t app) {
    return ToSeconds(played.apps[app].took) / played.apps[app].requests;
  }
  static constexpr std::size_t kCaptions = 0, kChat = 1, kResearch = 3;
};

TEST_F(DemoTest, CreditMeetsEveryDeadlineAndStarvesNobody) {
  const auto credit = Demo("credit");
  for (const SimulatedApp& app : credit.apps) EXPECT_EQ(app.Attainment(), 1) << app.name;
  const auto priority = Demo("priority");
  EXPECT_LT(MeanSeconds(credit, kCaptions), MeanSeconds(priority, kCaptions));
  EXPECT_LT(MeanSeconds(credit, kResearch), 0.75 * MeanSeconds(priority, kResearch));
  EXPECT_LT(MeanSeconds(credit, kChat), 0.75 * MeanSeconds(Demo("fifo"), kChat));
  EXPECT_LT(ToSeconds(credit.idle_with_waiter), 0.03 * ToSeconds(credit.end));
}

TEST_F(DemoTest, WithoutSlackChatMissesItsDeadlines) {
  PolicyParams params;
  params.use_slack = false;
  EXPECT_LT(Demo("credit", params).apps[kChat].Attainment(), 1);
}

TEST_F(DemoTest, WithoutAnticipationCaptionsTakeLonger) {
  PolicyParams params;
  params.anticipate = false;
  EXPECT_GT(MeanSeconds(Demo("credit", params), kCaptions),
            1.3 * MeanSeconds(Demo("credit"), kCaptions));
}

TEST_F(DemoTest, WithoutCreditThoseWhoAskForLittleTakeLonger) {
  PolicyParams params;
  params.use_credit = false;
  EXPECT_GT(MeanSeconds(Demo("credit", params), kCaptions),
            1.3 * MeanSeconds(Demo("credit"), kCaptions));
}

}  // namespace
}  // namespace cbench::share
