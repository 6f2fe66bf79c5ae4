#include "share/gate_hook.h"

#include <sched.h>

#include <cstdlib>

#include "share/actuators/cpu.h"
#include "share/gate/testing_child.h"

namespace cbench::share {
namespace {

class GateHookTest : public testing::Test {
 protected:
  ~GateHookTest() override {
    for (const char* name : {kGateVariable, kHookVariable, kHookedVariable}) unsetenv(name);
  }
};

TEST_F(GateHookTest, WithoutAGateNothingIsArranged) {
  unsetenv(kGateVariable);
  const auto hook = MakeHookFromEnvironment();
  EXPECT_FALSE(hook->Arranges());
  EXPECT_EQ(hook->LongestBackStep(), 0);
  const ScopedStep step(*hook, StepOf("a"));
}

TEST_F(GateHookTest, AGateThatCannotBeJoinedIsNamedAndStepsRunFree) {
  setenv(kGateVariable, "/nonexistent/gate", 1);
  testing::internal::CaptureStderr();
  const auto hook = MakeHookFromEnvironment();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("steps run free: no gate at /nonexistent/gate"));
  EXPECT_FALSE(hook->Arranges());
  const ScopedStep step(*hook, StepOf("a"));
}

TEST_F(GateHookTest, StepsPassTheGateNamedInTheEnvironment) {
  const auto gate = Gate::Create({.policy = "credit", .params = {.back_step = 7}});
  ASSERT_TRUE(gate);
  setenv(kGateVariable, (*gate)->path().c_str(), 1);
  const auto hook = MakeHookFromEnvironment();
  EXPECT_TRUE(hook->Arranges());
  EXPECT_EQ(hook->LongestBackStep(), 7);
  {
    const ScopedStep step(*hook, StepOf("a"));
    EXPECT_EQ((*gate)->Status().steps.size(), 1u);
  }
  EXPECT_TRUE((*gate)->Status().steps.empty());
  EXPECT_EQ((*gate)->Status().holds, 1u);
  (*gate)->Open();
  EXPECT_FALSE(hook->Arranges());
}

TEST_F(GateHookTest, TheHookSaysInTheEnvironmentThatItAsksUnlessItIsOff) {
  const auto gate = Gate::Create({});
  ASSERT_TRUE(gate);
  setenv(kGateVariable, (*gate)->path().c_str(), 1);
  setenv(kHookVariable, "off", 1);
  EXPECT_FALSE(MakeHookFromEnvironment()->Arranges());
  EXPECT_EQ(std::getenv(kHookedVariable), nullptr);
  unsetenv(kHookVariable);
  EXPECT_TRUE(MakeHookFromEnvironment()->Arranges());
  EXPECT_EQ(std::getenv(kHookedVariable), std::to_string(getpid()));
}

TEST_F(GateHookTest, StepsOfTwoThreadsAreToldApart) {
  auto gate = Gate::Create({.lanes = {.front = 2, .back = 1, .total = 2, .preempts = false}});
  ASSERT_TRUE(gate);
  Gate& look = **gate;
  const auto hook = MakeGateHook(std::move(*gate));
  hook->Begin(StepOf("a"));
  std::thread([&] { const ScopedStep step(*hook, StepOf("b")); }).join();
  ASSERT_EQ(look.Status().steps.size(), 1u);
  EXPECT_EQ(look.Status().steps[0].app, "a");
  hook->End(StepOf("a"));
  EXPECT_TRUE(look.Status().steps.empty());
}

TEST_F(GateHookTest, WithKernelLanesBackStepsRunUnderSchedIdleIfTheKernelLets) {
  const bool available = CpuLanes::Available().has_value();  // else steps run all the same
  auto gate = Gate::Create({.kernel_lanes = true});
  ASSERT_TRUE(gate);
  Gate& look = **gate;
  const auto hook = MakeGateHook(std::move(*gate));
  {
    const ScopedStep step(*hook, StepOf("a", AppClass::kBackground));
    EXPECT_EQ(sched_getscheduler(0), available ? SCHED_IDLE : SCHED_OTHER);
  }
  EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  {
    const ScopedStep step(*hook, StepOf("b"));
    EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  }
  std::vector<bool> switched;
  look.Drain([&](const Hold& hold) { switched.push_back(hold.switched); });
  // The second step changes the workers' lane, of which there are none here.
  EXPECT_EQ(switched, (std::vector<bool>{available, available}));
}

TEST(UrgencyTest, AStepInheritsWhoAsks) {
  StepInfo step;
  InheritUrgency({.app = "chat",
                  .priority_class = "background",
                  .deadline = 9,
                  .weight = 2,
                  .next_request = 5,
                  .request = 3},
                 step);
  EXPECT_EQ(step.app, "chat");
  EXPECT_EQ(step.app_class, AppClass::kBackground);
  EXPECT_EQ(step.weight, 2);
  EXPECT_EQ(step.request, 3u);
  EXPECT_EQ(step.next_request, 5);
  EXPECT_EQ(step.deadline, 0);  // the step's own
  InheritUrgency({.app = "chat", .priority_class = "", .deadline = 0}, step);
  EXPECT_EQ(step.app_class, AppClass::kLatency);
}

TEST(UrgencyTest, RequestIdsDiffer) { EXPECT_NE(NextRequestId(), NextRequestId()); }

}  // namespace
}  // namespace cbench::share
