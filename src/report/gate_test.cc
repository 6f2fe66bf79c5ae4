#include "report/gate.h"

#include <gtest/gtest.h>

#include "report/device_use.h"

namespace cbench::report {
namespace {

constexpr Nanos kMs = kMillisecond;

record::Step Held(Nanos asked, Nanos begin, Nanos end, Nanos predicted,
                  const char* engine = "text") {
  return {engine, "decode", begin * kMs, end * kMs,      1,
          "chat", "front",  asked * kMs, predicted * kMs};
}

TEST(Gate, HandWorked) {
  GateStatistics gate;
  gate.Add(Held(10, 12, 22, 5));   // waited 2, held 10, predicted half: off by 0.5, above
  gate.Add(Held(20, 30, 34, 5));   // waited 10, held 4, off by 0.25
  gate.Add(Held(40, 40, 50, 10));  // no wait, exact
  gate.Add(Held(0, 60, 61, 0));    // neither asked nor predicted
  gate.Add(Held(1, 0, 5, 5));      // never granted
  gate.Add(Held(1, 5, 4, 5));      // ends before its begin
  const GateUse use = gate.Describe();
  EXPECT_EQ(use.holds, 4u);
  EXPECT_NEAR(use.held_s, 0.025, 1e-12);
  EXPECT_EQ(use.wait.samples, 3u);
  EXPECT_DOUBLE_EQ(*use.wait.p50, 0.002);
  EXPECT_DOUBLE_EQ(*use.hold.p50, 0.004);
  EXPECT_DOUBLE_EQ(*use.hold.max, 0.010);
  EXPECT_EQ(use.hold.p99, std::nullopt) << "too few";
  EXPECT_NEAR(*use.prediction_error, 0.25, 1e-12);
  EXPECT_NEAR(*use.above_prediction, 1. / 3, 1e-12);
}

TEST(Gate, WithoutStepsNothingIsKnown) {
  GateStatistics gate;
  EXPECT_TRUE(gate.empty());
  EXPECT_EQ(gate.Describe().prediction_error, std::nullopt);
  EXPECT_EQ(gate.Describe().above_prediction, std::nullopt);
}

RunFacts RunOf(Nanos start, Nanos end) {
  RunFacts facts;
  facts.tasks.resize(1);
  facts.tasks[0].start = start * kMs;
  facts.tasks[0].end = end * kMs;
  return facts;
}

TEST(DeviceUse, IsTheUnionOfStepsWithinTheMakespan) {
  RunFacts facts = RunOf(100, 200);
  const record::Step steps[] = {Held(0, 90, 110, 0), Held(0, 105, 120, 0, "speech"),
                                Held(0, 150, 155, 0), Held(0, 190, 300, 0, "image")};
  for (const record::Step& step : steps) facts.steps.push_back(&step);
  Plan plan;
  plan.devices = {{"text", "gpu"}, {"speech", "gpu"}, {"image", "cpu"}};
  const DeviceUse use = MeasureUse(facts, plan, {});
  EXPECT_EQ(use.source, "steps");
  EXPECT_DOUBLE_EQ(use.busy.at("gpu"), 0.25);  // 100-120 and 150-155
  EXPECT_DOUBLE_EQ(use.busy.at("cpu"), 0.10);  // 190-200
}

TEST(DeviceUse, OfCpuSamplesIsWeightedByTime) {
  const std::vector<record::Sample> cpu = {{50 * kMs, "cpu", "busy", "ratio", 1.0},
                                           {120 * kMs, "cpu", "busy", "ratio", 0.5},
                                           {140 * kMs, "cpu", "busy", "ratio", std::nullopt},
                                           {180 * kMs, "cpu", "busy", "ratio", 0.8},
                                           {220 * kMs, "cpu", "busy", "ratio", 1.0}};
  const DeviceUse use = MeasureUse(RunOf(100, 200), {}, cpu);
  EXPECT_EQ(use.source, "samples");
  EXPECT_NEAR(use.busy.at("cpu"), (0.5 * 20 + 0.8 * 40) / 60, 1e-12);
}

TEST(DeviceUse, IsUnknownWithAReason) {
  EXPECT_NE(MeasureUse(RunOf(100, 200), {}, {}).reason, "");
  EXPECT_NE(MeasureUse(RunOf(100, 100), {}, {}).reason, "");
}

}  // namespace
}  // namespace cbench::report
