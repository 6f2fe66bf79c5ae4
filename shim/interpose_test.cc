// What is asked, waited for and passed on, with a ggml that only says what was called.
#include "shim/testing_program.h"

namespace cbench::shim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class InterposeTest : public testing::TestWithParam<const char*> {
 protected:
  InterposeTest() : gate_(*share::Gate::Create({})) {}

  std::vector<std::string> Compute(const std::vector<std::string>& words,
                                   const Environment& environment) {
    std::vector<std::string> command = {CBENCH_PROGRAM, CBENCH_ENGINE, GetParam()};
    command.insert(command.end(), words.begin(), words.end());
    RunningProgram run(command, environment);
    auto lines = run.Lines();
    errors_ = run.Errors();
    return lines;
  }

  const std::unique_ptr<share::Gate> gate_;
  std::string errors_;
};

TEST_P(InterposeTest, AGraphIsOneStepHoweverManyCallsComputeIt) {
  EXPECT_THAT(Compute({"sched_compute"}, Behind(*gate_)),
              ElementsAre("sched_compute", "sched_compute_async", "backend_compute_async",
                          "sched_synchronize", "= 4"));
  EXPECT_THAT(Compute({"backend_compute"}, Behind(*gate_)), ElementsAre("backend_compute", "= 1"));
  EXPECT_EQ(HoldsOf(*gate_).size(), 2u);
  EXPECT_EQ(errors_, "");
}

TEST_P(InterposeTest, BehindAGateAnAsynchronousGraphIsWaitedFor) {
  EXPECT_THAT(Compute({"sched_compute_async", "backend_compute_async"}, Behind(*gate_)),
              ElementsAre("sched_compute_async", "backend_compute_async", "sched_synchronize",
                          "= 3", "backend_compute_async", "backend_synchronize", "= 2"));
  EXPECT_EQ(HoldsOf(*gate_).size(), 2u);
  EXPECT_THAT(Compute({"sched_compute_async"}, Preloaded()),
              ElementsAre("sched_compute_async", "backend_compute_async", "= 3"));
}

TEST_P(InterposeTest, TheEnvironmentSaysWhoAsksAndTheGraphHowMuch) {
  const share::Program told{
      .app = "mine", .app_class = share::AppClass::kThroughput, .weight = 2.5};
  Compute({"backend_compute"}, Behind(*gate_, share::EnvironmentOf(told)));
  const auto holds = HoldsOf(*gate_);
  ASSERT_EQ(holds.size(), 1u);
  EXPECT_STREQ(holds[0].app, "mine");
  EXPECT_EQ(holds[0].app_class, share::AppClass::kThroughput);
  EXPECT_EQ(holds[0].kind, share::StepKind::kGraph);
  EXPECT_EQ(holds[0].size, 256);  // 128 nodes of 2000 numbers on average, in thousands
  EXPECT_EQ(holds[0].context, 128);
  EXPECT_EQ(gate_->Status().apps.at(0).account.weight, 2.5);
}

TEST_P(InterposeTest, AForkedChildIsAUserOfItsOwn) {
  Compute({"backend_compute", "fork", "backend_compute"}, Behind(*gate_));
  const auto holds = HoldsOf(*gate_);
  ASSERT_EQ(holds.size(), 2u);
  EXPECT_NE(holds[0].pid, holds[1].pid);
}

TEST_P(InterposeTest, WhoHasComputedLeavesTheGateAtItsEnd) {
  Compute({"backend_compute"}, Behind(*gate_));
  EXPECT_EQ(gate_->Status().deaths, 0u);
  EXPECT_EQ(gate_->Status().processes.size(), 1u);  // this one
}

TEST_P(InterposeTest, WithoutAGateItIsAsIfItWereNotThere) {
  EXPECT_THAT(Compute({"backend_compute"}, Preloaded()), ElementsAre("backend_compute", "= 1"));
  EXPECT_EQ(errors_, "");
}

TEST_P(InterposeTest, WhatCannotBeJoinedCostsOneLine) {
  Environment nowhere = Preloaded();
  nowhere.emplace_back(share::kGateVariable, "/nonexistent/gate");
  EXPECT_THAT(
      Compute({"backend_compute", "sched_compute_async"}, nowhere),
      ElementsAre("backend_compute", "= 1", "sched_compute_async", "backend_compute_async", "= 3"));
  EXPECT_THAT(errors_, HasSubstr("graphs run free: no gate at /nonexistent/gate"));
  EXPECT_EQ(std::count(errors_.begin(), errors_.end(), '\n'), 1);

  EXPECT_THAT(Compute({"backend_compute"}, Behind(*gate_, {{share::kClassVariable, "urgent"}})),
              ElementsAre("backend_compute", "= 1"));
  EXPECT_THAT(errors_, HasSubstr("graphs run free: CBENCH_CLASS is latency"));
  EXPECT_THAT(HoldsOf(*gate_), IsEmpty());
}

TEST_P(InterposeTest, BehindAnOpenGateEverythingRunsFree) {
  gate_->Open();
  EXPECT_THAT(Compute({"backend_compute"}, Behind(*gate_)), ElementsAre("backend_compute", "= 1"));
  EXPECT_THAT(HoldsOf(*gate_), IsEmpty());
}

// Linked to ggml, as engines are, or with it hidden behind a plug-in.
INSTANTIATE_TEST_SUITE_P(Scope, InterposeTest, testing::Values("global", "local"),
                         [](const auto& scope) { return std::string(scope.param); });

}  // namespace
}  // namespace cbench::shim
