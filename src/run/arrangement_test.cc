#include "run/arrangement.h"

#include <gmock/gmock.h>

#include <numeric>

namespace cbench::run {
namespace {

using scenario::PriorityClass;
using testing::ElementsAre;
using testing::HasSubstr;

struct ArrangementTest : testing::Test {
  ArrangementTest() {
    text.name = "text";
    image.name = "image";
    text.use = image.use = "embedded-text";
    uses = {{&text, PriorityClass::kLatency, 0}, {&image, PriorityClass::kThroughput, 0}};
  }
  scenario::EngineSpec text, image;
  std::vector<EngineUse> uses;
};

// The first `count` of a machine's.
Supply Cores(int count) {
  Supply supply{std::vector<int>(static_cast<std::size_t>(count))};
  std::iota(supply.cores.begin(), supply.cores.end(), 0);
  return supply;
}

TEST_F(ArrangementTest, GreedyIsAsShipped) {
  const auto placed = Place("greedy", uses, Cores(8));
  EXPECT_EQ(placed[0].spec.threads, 0);
  EXPECT_EQ(placed[0].spec.wait, "spin");
  EXPECT_TRUE(placed[1].prefix.empty());
}

TEST_F(ArrangementTest, TamedDividesTheCores) {
  EXPECT_EQ(Place("tamed", uses, Cores(8))[1].spec.threads, 4);
  EXPECT_EQ(Place("tamed", uses, Cores(1))[1].spec.threads, 1);
}

TEST_F(ArrangementTest, ThreadsKeepTheirCoresWhereNobodyComputesBesideThem) {
  for (const char* name : {"credit", "fifo", "exclusive", "partition"})
    EXPECT_EQ(Place(name, uses, Cores(8))[0].spec.affinity, "own") << name;
  for (const char* name : {"greedy", "tamed", "nice"})
    EXPECT_EQ(Place(name, uses, Cores(8))[0].spec.affinity, "any") << name;
}

TEST_F(ArrangementTest, WhatTheScenarioStatesStays) {
  text.threads = 3;
  text.wait = "spin";
  text.affinity = "any";
  for (const char* name : {"greedy", "tamed", "nice", "partition", "credit", "exclusive"}) {
    const auto placed = Place(name, uses, Cores(8));
    EXPECT_EQ(placed[0].spec.threads, 3) << name;
    EXPECT_EQ(placed[0].spec.wait, "spin") << name;
    EXPECT_EQ(placed[0].spec.affinity, "any") << name;
  }
}

TEST_F(ArrangementTest, NiceFollowsTheClass) {
  uses[0].priority_class = PriorityClass::kBackground;
  const auto placed = Place("nice", uses, Cores(2));
  EXPECT_THAT(placed[0].prefix, ElementsAre("chrt", "--idle", "0"));
  EXPECT_THAT(placed[1].prefix, ElementsAre("nice", "-n", "10"));
}

TEST_F(ArrangementTest, PartitionGivesWholeCoresWhereSharesAllow) {
  uses[0].partition_percent = 75;
  const auto placed = Place("partition", uses, Cores(4));
  EXPECT_THAT(placed[0].prefix, ElementsAre("taskset", "--cpu-list", "0,1,2"));
  EXPECT_THAT(placed[1].prefix, ElementsAre("taskset", "--cpu-list", "3"));
  EXPECT_EQ(placed[0].spec.threads, 3);
}

TEST_F(ArrangementTest, PartitionKeepsToTheCoresThatAreOurs) {
  const auto placed = Place("partition", uses, {.cores = {2, 5}});
  EXPECT_THAT(placed[0].prefix, ElementsAre("taskset", "--cpu-list", "2"));
  EXPECT_THAT(placed[1].prefix, ElementsAre("taskset", "--cpu-list", "5"));
}

TEST_F(ArrangementTest, PartitionSharesCoresWhereTheyDoNotDivide) {
  scenario::EngineSpec speech;
  speech.name = "speech";
  uses.push_back({&speech, PriorityClass::kLatency, 0});
  const auto placed = Place("partition", uses, Cores(2));
  EXPECT_THAT(placed[0].prefix, ElementsAre("taskset", "--cpu-list", "0"));
  EXPECT_THAT(placed[1].prefix, ElementsAre("taskset", "--cpu-list", "1"));
  EXPECT_THAT(placed[2].prefix, ElementsAre("taskset", "--cpu-list", "0"));
  for (const Placement& one : placed) {
    EXPECT_EQ(one.spec.threads, 1);
    EXPECT_THAT(one.how, HasSubstr("share"));
  }
}

TEST_F(ArrangementTest, PartitionHoldsEnginesToPartsOfACoreWhereItCan) {
  uses[0].partition_percent = 60;
  Supply supply = Cores(2);
  supply.quotas = true;
  const auto placed = Place("partition", uses, supply);
  EXPECT_DOUBLE_EQ(placed[0].quota, 1.2);
  EXPECT_EQ(placed[0].spec.threads, 2);
  EXPECT_DOUBLE_EQ(placed[1].quota, 0.8);
  EXPECT_EQ(placed[1].spec.threads, 1);
  EXPECT_TRUE(placed[1].prefix.empty());
  EXPECT_THAT(placed[1].how, HasSubstr("0.80 cores by quota"));
  // Cores that divide are the better border.
  uses[0].partition_percent = 50;
  EXPECT_EQ(Place("partition", uses, supply)[0].quota, 0);
}

TEST_F(ArrangementTest, StatedSharesOverAHundredAreScaled) {
  uses[0].partition_percent = uses[1].partition_percent = 100;
  const auto placed = Place("partition", uses, Cores(2));
  EXPECT_THAT(placed[0].prefix, ElementsAre("taskset", "--cpu-list", "0"));
  EXPECT_THAT(placed[1].prefix, ElementsAre("taskset", "--cpu-list", "1"));
}

TEST_F(ArrangementTest, NothingIsArrangedForWhatRunsAlready) {
  text.attach = "http://127.0.0.1:1/v1";
  for (const char* name : {"greedy", "tamed", "nice", "partition", "credit"}) {
    const Placement placed = Place(name, uses, Cores(2))[0];
    EXPECT_TRUE(placed.prefix.empty()) << name;
    EXPECT_FALSE(placed.gated) << name;
    EXPECT_THAT(placed.how, HasSubstr("runs already"));
  }
}

TEST_F(ArrangementTest, OnlyPoliciesUseTheGate) {
  EXPECT_TRUE(Place("credit", uses, Cores(2))[0].gated);
  EXPECT_FALSE(Place("nice", uses, Cores(2))[0].gated);
  EXPECT_EQ(ToJson(Place("fifo", uses, Cores(2)))["text"]["grain"], "step");
}

TEST_F(ArrangementTest, OnlyCommandsOfASharedGgmlAskGraphByGraphBehindAGate) {
  scenario::AppSpec asks, silent;
  asks.ggml = "shared";
  const scenario::TaskSpec task;
  const auto apps =
      SharedCommands({{&task, &asks, 0, {}}, {&task, &silent, 0, {}}, {&task, &asks, 0, {}}});
  EXPECT_EQ(apps, (std::vector<const scenario::AppSpec*>{&asks}));
  EXPECT_EQ(CommandToJson("credit")["grain"], "graph");
  EXPECT_EQ(CommandToJson("nice")["grain"], "none");
}

}  // namespace
}  // namespace cbench::run
