#include "share/account.h"

namespace cbench::share {
namespace {

// Plays steps of one account: each asks, runs for its cost at once, and ends.
struct Player {
  Account account;
  Nanos now = 1000;
  void Step(std::uint64_t request, Nanos cost, Nanos deadline = 0, Nanos gap = 0) {
    now += gap;
    const StepView step{.asked = now, .deadline = deadline, .cost = cost, .request = request};
    NoteArrival(account, step);
    now += cost;
    NoteService(account, step, cost, now);
  }
};

TEST(AccountTest, NamesAreCutNotOverrun) {
  Account account;
  SetName(account, std::string(100, 'x'));
  EXPECT_EQ(account.Name(), std::string(47, 'x'));
}

TEST(AccountTest, LearnsARequestWhenTheNextBegins) {
  Player player;
  player.Step(1, 100);
  player.Step(1, 50);
  EXPECT_EQ(player.account.typical_request, 0);
  player.Step(2, 10);
  EXPECT_EQ(player.account.typical_request, 150);
  EXPECT_EQ(player.account.request_served, 10);
  EXPECT_EQ(player.account.served, 160);
}

TEST(AccountTest, LearnsLegsApartFromEachOther) {
  Player player;
  player.Step(1, 100, 10'000);  // prefill
  player.Step(1, 100, 10'000);
  player.Step(1, 9, 20'000);  // tokens
  player.Step(1, 9, 20'500);
  player.Step(2, 1, 30'000);
  EXPECT_EQ(player.account.typical_first_leg, 200);
  EXPECT_EQ(player.account.typical_leg, 9);
  EXPECT_EQ(player.account.leg, 0);
}

TEST(AccountTest, RemainingIsWhatIsTypicalLessWhatItHad) {
  Player player;
  player.Step(1, 100, 10'000);
  player.Step(1, 100, 10'000);
  player.Step(2, 50, 20'000);
  const StepView next{.deadline = 20'000, .cost = 60, .request = 2};
  EXPECT_EQ(RemainingToDeadline(player.account, next), 150);
  EXPECT_EQ(SizeOfRequest(player.account, next), 200);
  const StepView long_one{.deadline = 20'000, .cost = 160, .request = 2};
  EXPECT_EQ(RemainingToDeadline(player.account, long_one), 160);
  EXPECT_EQ(SizeOfRequest(player.account, long_one), 210);
}

TEST(AccountTest, GapsBeforeTheDeadlineAreTimeItNeeds) {
  Player player;
  player.Step(1, 100, 10'000);
  player.Step(1, 100, 10'000, 30);
  player.Step(1, 9, 20'000, 30);  // this gap came after the deadline was met
  player.Step(2, 50, 30'000);
  EXPECT_EQ(player.account.typical_first_leg, 230);
  EXPECT_EQ(player.account.typical_leg, 9);
  EXPECT_EQ(player.account.typical_request, 209) << "device time only";
  const StepView next{.deadline = 30'000, .cost = 60, .request = 2};
  EXPECT_EQ(RemainingToDeadline(player.account, next), 180);
}

TEST(AccountTest, LearnsGapAndBudget) {
  Player player;
  player.Step(1, 100, 5'000);
  player.Step(1, 100, 5'000, 7);
  EXPECT_EQ(player.account.typical_gap, 7);
  EXPECT_EQ(player.account.typical_budget, 4'000);
  player.Step(2, 100, 0, 1'000'000);  // thinking between requests is no gap
  EXPECT_EQ(player.account.typical_gap, 7);
}

TEST(AccountTest, OneLongGapIsSoonForgotten) {
  Player player;
  player.Step(1, 100);
  player.Step(1, 100, 0, kMillisecond);
  player.Step(1, 100, 0, 10 * kSecond);
  for (int i = 0; i < 10; ++i) player.Step(1, 100, 0, kMillisecond);
  EXPECT_LT(player.account.typical_gap, 6 * kMillisecond);
}

TEST(AccountTest, WithoutIdsAPauseEndsARequest) {
  Player player;
  player.Step(0, 100);
  player.Step(0, 100, 0, kMillisecond);
  EXPECT_EQ(player.account.typical_request, 0);
  player.Step(0, 100, 0, kSecond);
  EXPECT_EQ(player.account.typical_request, 200);
}

}  // namespace
}  // namespace cbench::share
