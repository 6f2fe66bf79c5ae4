// Processes are killed at the worst moments; the others go on.
#include "share/gate/crash_point.h"
#include "share/gate/testing_child.h"

namespace cbench::share {
namespace {

// Dies when it comes to that point.
void DieAt(const char* where) {
  static std::string point;
  point = where;
  crash_handler = [](const char* here) {
    if (point == here) raise(SIGKILL);
  };
}

std::unique_ptr<Gate> MakeGate() {
  auto gate = Gate::Create({});
  EXPECT_TRUE(gate);
  return std::move(*gate);
}

// The gate works, and nothing is left of anybody.
void ExpectHealthy(Gate& gate) {
  const int slot = gate.Acquire(StepOf("survivor"));
  EXPECT_GE(slot, 0);
  gate.Release(slot);
  EXPECT_TRUE(Eventually([&] { return gate.Status().processes.size() == 1; }));
  EXPECT_TRUE(gate.Status().steps.empty());
  EXPECT_FALSE(gate.open());
}

class DyingInsideTheLock : public testing::TestWithParam<const char*> {};

TEST_P(DyingInsideTheLock, OthersGoOn) {
  const auto gate = MakeGate();
  Child child([&](Child&) {
    const auto mine = Gate::Join(gate->path());
    DieAt(GetParam());
    (*mine)->Release((*mine)->Acquire(StepOf("victim")));
    return 0;
  });
  EXPECT_EQ(child.Wait(), -SIGKILL);
  ExpectHealthy(*gate);
  EXPECT_EQ(gate->Status().deaths, 1u);
}
INSTANTIATE_TEST_SUITE_P(At, DyingInsideTheLock, testing::Values("claim", "grant", "release"));

// The victim holds, the test waits, and the victim dies while it hands over.
class DyingInTheHandover : public testing::TestWithParam<const char*> {};

TEST_P(DyingInTheHandover, TheWaiterIsGrantedAllTheSame) {
  const auto gate = MakeGate();
  Child child([&](Child& self) {
    const auto mine = Gate::Join(gate->path());
    const int slot = (*mine)->Acquire(StepOf("victim"));
    self.Say("holds");
    self.Hear();
    DieAt(GetParam());
    (*mine)->Release(slot);
    return 0;
  });
  ASSERT_EQ(child.Hear(), "holds");
  std::thread waiter([&] { gate->Release(gate->Acquire(StepOf("waiter"))); });
  EXPECT_TRUE(Eventually([&] { return Waiting(*gate) == 1; }));
  child.Say("go");
  EXPECT_EQ(child.Wait(), -SIGKILL);
  waiter.join();
  ExpectHealthy(*gate);
}
INSTANTIATE_TEST_SUITE_P(At, DyingInTheHandover, testing::Values("release", "grant", "wake"));

TEST(GateCrashTest, ADeadHoldersLeaseIsReclaimedAndCharged) {
  const auto gate = MakeGate();
  Child child([&](Child& self) {
    const auto mine = Gate::Join(gate->path());
    (*mine)->Acquire(StepOf("victim"));
    self.Say("holds");
    self.Hear();
    return 0;
  });
  ASSERT_EQ(child.Hear(), "holds");
  std::thread waiter([&] { gate->Release(gate->Acquire(StepOf("waiter"))); });
  EXPECT_TRUE(Eventually([&] { return Waiting(*gate) == 1; }));
  child.Kill();
  waiter.join();
  std::vector<Hold> holds;
  gate->Drain([&](const Hold& hold) { holds.push_back(hold); });
  ASSERT_EQ(holds.size(), 2u);
  EXPECT_STREQ(holds[0].app, "victim");
  EXPECT_TRUE(holds[0].reclaimed);
  EXPECT_FALSE(holds[1].reclaimed);
  EXPECT_LE(holds[0].released, holds[1].granted);
  ExpectHealthy(*gate);
}

TEST(GateCrashTest, ADeadWaiterIsForgotten) {
  const auto gate = MakeGate();
  const int slot = gate->Acquire(StepOf("holder"));
  Child child([&](Child&) {
    const auto mine = Gate::Join(gate->path());
    (*mine)->Acquire(StepOf("victim"));
    return 0;
  });
  EXPECT_TRUE(Eventually([&] { return Waiting(*gate) == 1; }));
  child.Kill();
  EXPECT_TRUE(Eventually([&] { return Waiting(*gate) == 0; }));
  gate->Release(slot);
  ExpectHealthy(*gate);
}

TEST(GateCrashTest, AStoppedHolderKeepsItsLease) {
  const auto gate = MakeGate();
  Child child([&](Child& self) {
    const auto mine = Gate::Join(gate->path());
    const int slot = (*mine)->Acquire(StepOf("stopped"));
    self.Say("holds");
    self.Hear();
    (*mine)->Release(slot);
    return 0;
  });
  ASSERT_EQ(child.Hear(), "holds");
  child.Signal(SIGSTOP);
  gate->Inspect();
  ASSERT_EQ(gate->Status().steps.size(), 1u);
  EXPECT_TRUE(gate->Status().steps[0].running);
  child.Signal(SIGCONT);
  child.Say("go");
  EXPECT_EQ(child.Wait(), 0);
  ExpectHealthy(*gate);
}

// The child is the harness; holder and waiter are the test's.
TEST(GateCrashTest, WhenTheHarnessDiesEverythingRunsFree) {
  Child harness([](Child& self) {
    const auto gate = Gate::Create({});
    self.Say((*gate)->path());
    self.Hear();
    return 0;
  });
  auto gate = Gate::Join(harness.Hear());
  ASSERT_TRUE(gate) << gate.error().message;
  const int slot = (*gate)->Acquire(StepOf("holder"));
  EXPECT_GE(slot, 0);
  std::thread waiter([&] { EXPECT_EQ((*gate)->Acquire(StepOf("waiter")), Gate::kUnarranged); });
  EXPECT_TRUE(Eventually([&] { return Waiting(**gate) == 1; }));
  harness.Kill();
  waiter.join();
  EXPECT_TRUE((*gate)->open());
  (*gate)->Release(slot);
  EXPECT_EQ((*gate)->Acquire(StepOf("anyone")), Gate::kUnarranged);
}

TEST(GateCrashTest, WhenTheHarnessEndsEverythingRunsFree) {
  auto harness = MakeGate();
  const auto gate = Gate::Join(harness->path());
  ASSERT_TRUE(gate);
  harness.reset();
  EXPECT_TRUE((*gate)->open());
}

}  // namespace
}  // namespace cbench::share
