#include "share/policy.h"

namespace cbench::share {
namespace {

// Three accounts, one a class, and steps for them.
struct Desk {
  Account accounts[3] = {{.app_class = AppClass::kLatency},
                         {.app_class = AppClass::kThroughput},
                         {.app_class = AppClass::kBackground}};
  std::vector<StepView> waiting, running;
  Lanes lanes;

  void Wait(int account, Nanos asked) { waiting.push_back({.account = account, .asked = asked}); }
  void Run(int account) { running.push_back({.account = account}); }
  Choice Ask(std::string_view policy) const {
    const View view{10, accounts, waiting, running, lanes};
    return (*MakePolicy(policy))->Choose(view);
  }
};

TEST(PolicyTest, ClassNamesAreThoseOfScenarios) {
  for (const auto name : {"latency", "throughput", "background"})
    EXPECT_EQ(Name(*ParseAppClass(name)), name);
  EXPECT_FALSE(ParseAppClass("urgent"));
}

TEST(PolicyTest, UnknownNameIsAnInputErrorThatListsTheKnown) {
  const auto policy = MakePolicy("lottery");
  ASSERT_FALSE(policy);
  EXPECT_EQ(policy.error().kind, ErrorKind::kInput);
  EXPECT_THAT(policy.error().message, testing::HasSubstr("fifo"));
}

TEST(PolicyTest, NobodyWaitingNobodyChosen) {
  for (const PolicyDescriptor* policy : Policies())
    EXPECT_EQ(Desk().Ask(policy->name).waiting, -1) << policy->name;
}

TEST(PolicyTest, OneWaiterOnAnIdleDeviceIsGranted) {
  for (const PolicyDescriptor* policy : Policies()) {
    Desk desk;
    desk.Wait(2, 1);
    EXPECT_EQ(desk.Ask(policy->name).waiting, 0) << policy->name;
  }
}

TEST(PolicyTest, OpenGrantsEvenWhenTheDeviceIsBusy) {
  Desk desk;
  desk.Wait(2, 1);
  desk.Run(0);
  EXPECT_EQ(desk.Ask("open").waiting, 0);
}

TEST(PolicyTest, OthersWaitForRoom) {
  for (const auto name : {"fifo", "priority"}) {
    Desk desk;
    desk.Wait(0, 1);
    desk.Run(2);
    EXPECT_EQ(desk.Ask(name).waiting, -1) << name;
  }
}

TEST(PolicyTest, ALaneOfItsOwnIsRoom) {
  for (const auto name : {"fifo", "priority"}) {
    Desk desk;
    desk.lanes = {1, 1, 2, true};
    desk.Run(2);
    desk.Wait(1, 1);  // back lane: taken
    desk.Wait(0, 2);
    EXPECT_EQ(desk.Ask(name).waiting, 1) << name;
  }
}

TEST(PolicyTest, FifoTakesTheOldestPriorityTheMostUrgent) {
  Desk desk;
  desk.Wait(1, 3);
  desk.Wait(2, 1);
  desk.Wait(0, 5);
  desk.Wait(0, 4);
  EXPECT_EQ(desk.Ask("fifo").waiting, 1);
  EXPECT_EQ(desk.Ask("priority").waiting, 3);
}

}  // namespace
}  // namespace cbench::share
