#include "share/gate/gate.h"

#include <sys/stat.h>

#include <fstream>
#include <future>

#include "share/gate/testing_child.h"

namespace cbench::share {
namespace {

using testing::HasSubstr;

std::unique_ptr<Gate> MakeGate(const GateOptions& options = {}) {
  auto gate = Gate::Create(options);
  EXPECT_TRUE(gate);
  return std::move(*gate);
}

std::vector<Hold> DrainAll(Gate& gate) {
  std::vector<Hold> holds;
  EXPECT_EQ(gate.Drain([&](const Hold& hold) { holds.push_back(hold); }), 0u);
  return holds;
}

TEST(GateTest, AStepAloneRunsAtOnceAndLeavesAHold) {
  const auto gate = MakeGate();
  const int slot = gate->Acquire({.kind = StepKind::kPrefill,
                                  .size = 64,
                                  .context = 7,
                                  .app = "chat",
                                  .app_class = AppClass::kThroughput,
                                  .weight = 2,
                                  .request = 5});
  ASSERT_GE(slot, 0);
  gate->Release(slot);
  const auto holds = DrainAll(*gate);
  ASSERT_EQ(holds.size(), 1u);
  const Hold& hold = holds[0];
  EXPECT_STREQ(hold.app, "chat");
  EXPECT_EQ(hold.app_class, AppClass::kThroughput);
  EXPECT_EQ(hold.kind, StepKind::kPrefill);
  EXPECT_EQ(hold.why, Reason::kOrder);
  EXPECT_EQ(hold.size, 64);
  EXPECT_EQ(hold.context, 7);
  EXPECT_EQ(hold.request, 5u);
  EXPECT_EQ(hold.pid, getpid());
  EXPECT_LE(hold.asked, hold.granted);
  EXPECT_LE(hold.granted, hold.released);
  EXPECT_EQ(hold.charged, std::max<Nanos>(hold.released - hold.granted, 1));
  EXPECT_FALSE(hold.known);
  EXPECT_FALSE(hold.disturbed);
  EXPECT_TRUE(DrainAll(*gate).empty());
}

TEST(GateTest, TheSecondStepWaitsForTheFirst) {
  const auto gate = MakeGate();
  const int first = gate->Acquire(StepOf("a"));
  auto second = std::async(std::launch::async, [&] {
    const int slot = gate->Acquire(StepOf("b"));
    gate->Release(slot);
    return slot;
  });
  ASSERT_TRUE(Eventually([&] { return Waiting(*gate) == 1; }));
  EXPECT_EQ(gate->Status().steps.size(), 2u);
  gate->Release(first);
  EXPECT_GE(second.get(), 0);
  const auto holds = DrainAll(*gate);
  ASSERT_EQ(holds.size(), 2u);
  EXPECT_LE(holds[0].released, holds[1].granted);
}

TEST(GateTest, StatusShowsWhoRunsWhoWaitsAndTheAccounts) {
  const auto gate = MakeGate({.policy = "credit"});
  gate->Release(gate->Acquire(StepOf("a")));
  const int slot = gate->Acquire(StepOf("b", AppClass::kBackground));
  const GateStatus status = gate->Status();
  EXPECT_EQ(status.policy, "credit");
  EXPECT_EQ(status.processes.size(), 1u);
  ASSERT_EQ(status.steps.size(), 1u);
  EXPECT_EQ(status.steps[0].app, "b");
  EXPECT_TRUE(status.steps[0].running);
  EXPECT_EQ(status.steps[0].pid, getpid());
  ASSERT_EQ(status.apps.size(), 2u);
  EXPECT_EQ(status.apps[0].account.Name(), "a");
  EXPECT_EQ(status.apps[0].account.steps, 1);
  gate->Release(slot);
}

TEST(GateTest, RingKeepsTheNewestAndCountsTheLost) {
  const auto gate = MakeGate();
  for (std::uint64_t i = 0; i < kRingSize + 100; ++i) gate->Release(gate->Acquire(StepOf("a")));
  std::uint64_t seen = 0;
  EXPECT_EQ(gate->Drain([&](const Hold&) { ++seen; }), 100u);
  EXPECT_EQ(seen, kRingSize);
}

TEST(GateTest, AnOpenGateArrangesNothing) {
  const auto gate = MakeGate();
  const int first = gate->Acquire(StepOf("a"));
  auto second = std::async(std::launch::async, [&] { return gate->Acquire(StepOf("b")); });
  ASSERT_TRUE(Eventually([&] { return Waiting(*gate) == 1; }));
  gate->Open();
  EXPECT_EQ(second.get(), Gate::kUnarranged);
  gate->Release(first);
  EXPECT_EQ(gate->Acquire(StepOf("a")), Gate::kUnarranged);
  gate->Release(Gate::kUnarranged);
}

TEST(GateTest, StepsBeyondTheLastSlotRunUnarranged) {
  const auto gate = MakeGate({.lanes = {.front = kMaxSteps, .back = 1, .total = kMaxSteps}});
  std::array<int, kMaxSteps> slots{};
  for (int& slot : slots) slot = gate->Acquire(StepOf("a"));
  EXPECT_EQ(gate->Acquire(StepOf("a")), Gate::kUnarranged);
  EXPECT_EQ(gate->Status().turned_away, 1u);
  for (const int slot : slots) gate->Release(slot);
  EXPECT_GE(gate->Acquire(StepOf("a")), 0);
}

TEST(GateTest, UnknownPolicyIsAnInputError) {
  const auto gate = Gate::Create({.policy = "lottery"});
  ASSERT_FALSE(gate);
  EXPECT_EQ(gate.error().kind, ErrorKind::kInput);
}

TEST(GateTest, ChildrenFindItByPathWithItsOptions) {
  const auto gate =
      MakeGate({.policy = "priority", .params = {.hold = 7}, .lanes = {2, 1, 3, true}});
  Child child([&](Child&) {
    const auto joined = Gate::Join(gate->path());
    if (!joined) return 1;
    (*joined)->Release((*joined)->Acquire(StepOf("child")));
    const GateOptions& options = (*joined)->options();
    return options.policy == "priority" && options.params.hold == 7 && options.lanes.total == 3 ? 0
                                                                                                : 2;
  });
  EXPECT_EQ(child.Wait(), 0);
  EXPECT_EQ(DrainAll(*gate).size(), 1u);
  EXPECT_EQ(gate->Status().processes.size(), 1u);
}

TEST(GateTest, NoGateAndStrangeGatesAreRefusedWithTheReason) {
  const auto none = Gate::Join("/nonexistent/gate");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("no gate at /nonexistent/gate"));

  const std::string path = testing::TempDir() + "/short-gate";
  std::ofstream(path) << "short";
  const auto small = Gate::Join(path);
  ASSERT_FALSE(small);
  EXPECT_THAT(small.error().message, HasSubstr("5 bytes instead of"));
}

TEST(GateTest, AGateOfAnotherVersionIsRefusedWithTheReason) {
  auto memory = GateMemory::Make({});
  ASSERT_TRUE(memory);
  (*memory)->version = kGateVersion + 1;
  const auto gate = Gate::Join(memory->path());
  ASSERT_FALSE(gate);
  EXPECT_THAT(gate.error().message, HasSubstr("gate of version"));
  (*memory)->magic = 0;
  EXPECT_THAT(Gate::Join(memory->path()).error().message, HasSubstr("is no gate"));
}

TEST(GateTest, TheLastUserRemovesANamedGate) {
  const std::string path = testing::TempDir() + fmt::format("/gate-{}", getpid());
  auto first = Gate::JoinNamed(path, {.policy = "priority"});
  ASSERT_TRUE(first) << first.error().message;
  auto second = Gate::JoinNamed(path, {.policy = "fifo"});
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)->options().policy, "priority");
  first->reset();
  struct stat facts = {};
  EXPECT_EQ(stat(path.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777u, 0600u);
  EXPECT_FALSE((*second)->open());
  second->reset();
  EXPECT_NE(stat(path.c_str(), &facts), 0);
}

TEST(GateTest, UsersOfANamedGateThatDiedDoNotKeepIt) {
  const std::string path = testing::TempDir() + fmt::format("/gate-dead-{}", getpid());
  Child child([&](Child& self) {
    const auto gate = Gate::JoinNamed(path, {});
    (*gate)->Acquire(StepOf("dead"));
    self.Say("holds");
    self.Hear();
    return 0;
  });
  ASSERT_EQ(child.Hear(), "holds");
  child.Kill();
  auto gate = Gate::JoinNamed(path, {});
  ASSERT_TRUE(gate);
  EXPECT_EQ((*gate)->Status().deaths, 1u);
  EXPECT_EQ((*gate)->Status().processes.size(), 1u);
  EXPECT_GE((*gate)->Acquire(StepOf("alive")), 0);
  gate->reset();
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

TEST(GateTest, WhoLooksAtANamedGateIsNoUserOfItAndClearsItAwayWhenThereIsNone) {
  const std::string path = testing::TempDir() + fmt::format("/gate-look-{}", getpid());
  Child child([&](Child& self) {
    const auto gate = Gate::JoinNamed(path, {});
    (*gate)->Introduce(StepOf("app", AppClass::kBackground), false);
    (*gate)->Release((*gate)->Acquire(StepOf("app", AppClass::kBackground)));
    self.Say("joined");
    self.Hear();
    return 0;
  });
  ASSERT_EQ(child.Hear(), "joined");
  {
    const auto look = Gate::Look(path);
    ASSERT_TRUE(look) << look.error().message;
    const GateStatus status = (*look)->Status();
    ASSERT_EQ(status.processes.size(), 1u);
    EXPECT_EQ(status.processes[0].pid, child.pid());
    EXPECT_FALSE(status.processes[0].keeper);
    ASSERT_EQ(status.apps.size(), 1u);
    EXPECT_EQ(status.processes[0].account, status.apps[0].index);
    EXPECT_EQ(status.apps[0].account.Name(), "app");
    int holds = 0;
    (*look)->Drain([&](const Hold&) { ++holds; });
    (*look)->Rewind();
    (*look)->Drain([&](const Hold&) { ++holds; });
    EXPECT_EQ(holds, 2);
  }
  EXPECT_EQ(access(path.c_str(), F_OK), 0);
  child.Kill();
  Gate::Look(path)->reset();
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

TEST(GateTest, WhoLeavesLateTakesNoOtherGatesNameAway) {
  const std::string path = testing::TempDir() + fmt::format("/gate-late-{}", getpid());
  auto old = Gate::JoinNamed(path, {});
  ASSERT_TRUE(old);
  unlink(path.c_str());  // as its last user would have
  auto fresh = Gate::JoinNamed(path, {});
  ASSERT_TRUE(fresh);
  Gate::Look(path)->reset();
  old->reset();
  EXPECT_EQ(access(path.c_str(), F_OK), 0);
  fresh->reset();
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace cbench::share
