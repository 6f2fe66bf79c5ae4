#include "base/cancel.h"

#include <gtest/gtest.h>

#include <thread>

namespace cbench {
namespace {

TEST(Cancel, WakesASleeper) {
  Cancel cancel;
  std::jthread sleeper([&] { EXPECT_TRUE(cancel.WaitUntil(Now() + 60 * kSecond)); });
  cancel.Trigger();
}

TEST(Cancel, WaitEndsAtItsTime) {
  const Cancel cancel;
  EXPECT_FALSE(cancel.WaitUntil(Now() + kMillisecond));
}

TEST(Cancel, ChildFollowsParentButNotTheOtherWay) {
  Cancel parent;
  Cancel first(parent), second(parent);
  first.Trigger();
  EXPECT_FALSE(parent.IsTriggered());
  EXPECT_FALSE(second.IsTriggered());
  parent.Trigger();
  EXPECT_TRUE(second.IsTriggered());
}

TEST(Cancel, SubscriberIsCalledOnceEvenWhenLate) {
  Cancel cancel;
  int calls = 0;
  const auto early = cancel.Subscribe([&] { ++calls; });
  const auto gone = cancel.Subscribe([&] { ++calls; });
  cancel.Unsubscribe(gone);
  cancel.Trigger();
  cancel.Trigger();
  EXPECT_EQ(calls, 1);
  const auto late = cancel.Subscribe([&] { ++calls; });
  EXPECT_EQ(calls, 2);
  cancel.Unsubscribe(early);
  cancel.Unsubscribe(late);
}

}  // namespace
}  // namespace cbench
