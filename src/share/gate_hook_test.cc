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
    for (const char* name :
         {kGateVariable, kHookVariable, kHookedVariable, kAppVariable, kClassVariable})
      unsetenv(name);
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

TEST_F(GateHookTest, StepsThatNameNobodyAreTheProgramsThatTheEnvironmentNames) {
  const auto gate = Gate::Create({});
  ASSERT_TRUE(gate);
  setenv(kGateVariable, (*gate)->path().c_str(), 1);
  setenv(kAppVariable, "mine", 1);
  setenv(kClassVariable, "background", 1);
  const auto hook = MakeHookFromEnvironment();
  EXPECT_EQ((*gate)->Status().apps.at(0).account.Name(), "mine");  // known before it computes
  {
    const ScopedStep step(*hook, StepInfo{});
  }
  {
    const ScopedStep step(*hook, StepOf("a"));
  }
  std::vector<std::string> apps;
  (*gate)->Drain([&](const Hold& hold) {
    apps.emplace_back(hold.app);
    EXPECT_EQ(hold.app_class, apps.size() == 1 ? AppClass::kBackground : AppClass::kLatency);
  });
  EXPECT_EQ(apps, (std::vector<std::string>{"mine", "a"}));
}

class KernelLanesTest : public GateHookTest {
 protected:
  void SetUp() override {
    if (const auto available = CpuLanes::Available(); !available)  // else steps run all the same
      GTEST_SKIP() << available.error().message << "; GateDeskTest checks the decisions";
    auto gate = Gate::Create(
        {.lanes = {.front = 1, .back = 1, .total = 2, .preempts = true}, .kernel_lanes = true});
    ASSERT_TRUE(gate);
    gate_ = gate->get();
    hook_ = MakeGateHook(std::move(*gate));
  }
  int ClassDuring(const StepInfo& info) {
    const ScopedStep step(*hook_, info);
    return sched_getscheduler(0);
  }

  const StepInfo back_ = StepOf("a", AppClass::kBackground);
  const StepInfo front_ = StepOf("b");
  Gate* gate_ = nullptr;
  std::unique_ptr<StepHook> hook_;
};

TEST_F(KernelLanesTest, ABackStepRunsUnderSchedIdleUnlessNoFrontStepIsAbout) {
  EXPECT_EQ(ClassDuring(back_), SCHED_IDLE);  // nobody knows yet how long it takes
  EXPECT_EQ(ClassDuring(back_), SCHED_OTHER);
  EXPECT_EQ(ClassDuring(front_), SCHED_OTHER);
  EXPECT_EQ(ClassDuring(back_), SCHED_IDLE);
  EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
}

TEST_F(KernelLanesTest, AFrontStepPushesAsideABackStepThatWasThereFirst) {
  ClassDuring(back_);
  hook_->Begin(back_);
  EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  std::thread([&] { EXPECT_EQ(ClassDuring(front_), SCHED_OTHER); }).join();
  EXPECT_EQ(sched_getscheduler(0), SCHED_IDLE);
  hook_->End(back_);
  EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  std::vector<bool> switched;
  gate_->Drain([&](const Hold& hold) { switched.push_back(hold.switched); });
  EXPECT_TRUE(switched.back());
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
