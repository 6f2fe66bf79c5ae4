// Single decisions of the credit policy. Times are ms from an arbitrary start.
#include "share/policies/ledger.h"

namespace cbench::share {
namespace {

constexpr Nanos kMs = kMillisecond;
constexpr Nanos kNow = 100'000 * kMs;
constexpr int kCaptions = 0, kChat = 1, kImages = 2, kResearch = 3;

struct Desk {
  Account accounts[4] = {{.app_class = AppClass::kLatency},
                         {.app_class = AppClass::kLatency},
                         {.app_class = AppClass::kThroughput},
                         {.app_class = AppClass::kBackground}};
  std::vector<StepView> waiting, running;
  Lanes lanes;
  PolicyParams params;

  // Costs `cost` ms, asked `ago` ms ago, due in `due` ms (0: no deadline).
  void Wait(int account, Nanos cost, Nanos ago = 0, Nanos due = 0) {
    waiting.push_back({.account = account,
                       .asked = kNow - ago * kMs,
                       .deadline = due == 0 ? 0 : kNow + due * kMs,
                       .cost = cost * kMs,
                       .cost_q95 = cost * kMs,
                       .request = 1});
  }
  // Its request's last pass, of 5 ms, ended `ago` ms ago.
  void EndPass(int account, Nanos ago, Nanos due = 0) {
    Account& one = accounts[account];
    one.request = 1;
    one.last_cost = 5 * kMs;
    one.last_active = one.last_release = kNow - ago * kMs;
    one.leg_deadline = due == 0 ? 0 : kNow + due * kMs;
  }
  Choice Ask() const {
    return (*MakePolicy("credit", params))->Choose({kNow, accounts, waiting, running, lanes});
  }
  int Granted() const {
    const Choice choice = Ask();
    return choice.waiting < 0 ? -1 : waiting[static_cast<std::size_t>(choice.waiting)].account;
  }
};

TEST(CreditTest, MostOwedGoesFirstAndAmongEqualsTheOldest) {
  Desk desk;
  desk.Wait(kResearch, 10, 1);
  desk.Wait(kImages, 10, 5);
  EXPECT_EQ(desk.Granted(), kImages);
  desk.accounts[kResearch].credit = 1;
  EXPECT_EQ(desk.Granted(), kResearch);
  desk.params.use_credit = false;
  EXPECT_EQ(desk.Granted(), kImages);
}

TEST(CreditTest, ADeadlineInDangerGoesFirstWhateverIsOwed) {
  Desk desk;
  desk.accounts[kImages].credit = kSecond;
  desk.Wait(kImages, 10, 5);
  desk.Wait(kChat, 10, 0, 59);  // 49 ms to spare
  EXPECT_EQ(desk.Granted(), kChat);
  EXPECT_EQ(desk.Ask().why, Reason::kSlack);
  desk.waiting[1].deadline += 2 * kMs;
  EXPECT_EQ(desk.Granted(), kImages);
  desk.waiting[1].deadline -= 2 * kMs;
  desk.params.use_slack = false;
  EXPECT_EQ(desk.Granted(), kImages);
}

TEST(CreditTest, SlackIsRationed) {
  Desk desk;
  desk.accounts[kImages].credit = kSecond;
  desk.Wait(kImages, 10, 5);
  desk.Wait(kChat, 10, 0, 40);
  desk.accounts[kChat].boost_window = kNow - 900 * kMs;
  desk.accounts[kChat].boosted = 500 * kMs;
  EXPECT_EQ(desk.Granted(), kImages);
  desk.accounts[kChat].boost_window = kNow - 1000 * kMs;  // a new window
  EXPECT_EQ(desk.Granted(), kChat);
}

TEST(CreditTest, ALostDeadlineDisturbsNobody) {
  Desk desk;
  desk.accounts[kImages].credit = kSecond;
  desk.Wait(kImages, 10, 5);
  desk.Wait(kChat, 10, 0, 9);
  EXPECT_EQ(desk.Granted(), kImages);
}

TEST(CreditTest, TwoDeadlinesTogetherCanBeInDangerThoughNoneIsAlone) {
  Desk desk;
  desk.accounts[kImages].credit = kSecond;
  desk.Wait(kImages, 10, 5);
  desk.Wait(kChat, 60, 0, 130);
  EXPECT_EQ(desk.Granted(), kImages);
  desk.Wait(kCaptions, 60, 0, 140);  // 140 - 60 - 60 = 20 ms to spare
  EXPECT_EQ(desk.Granted(), kChat);  // the earlier deadline
}

TEST(CreditTest, ABackStepMustFitBeforeEveryLatencyDeadline) {
  Desk desk;
  desk.accounts[kImages].credit = kSecond;
  desk.accounts[kResearch].credit = kSecond / 2;
  desk.Wait(kImages, 101, 5);
  desk.Wait(kResearch, 99, 0);
  desk.Wait(kChat, 10, 0, 110);  // 100 ms to spare
  EXPECT_EQ(desk.Granted(), kResearch);
}

TEST(CreditTest, ADeviceThatPreemptsNeedsNoFit) {
  Desk desk;
  desk.lanes = {1, 1, 2, true};
  desk.Wait(kImages, 500, 5);
  desk.running.push_back({.account = kChat});
  EXPECT_EQ(desk.Granted(), kImages);
}

TEST(CreditTest, AmongLatencyWaitersTheShortestRequest) {
  Desk desk;
  desk.accounts[kChat].typical_request = 3000 * kMs;
  desk.accounts[kCaptions].typical_request = 300 * kMs;
  desk.Wait(kChat, 9, 50);
  desk.Wait(kCaptions, 60, 1);
  EXPECT_EQ(desk.Granted(), kCaptions);
  EXPECT_EQ(desk.Ask().why, Reason::kShort);
  desk.accounts[kChat].request = 1;
  desk.accounts[kChat].request_served = 2900 * kMs;  // 100 ms left: no reason to be kept waiting
  EXPECT_EQ(desk.Granted(), kCaptions);
}

TEST(CreditTest, AShortFrontStepGoesIfADeadlineCanSpareItTwice) {
  Desk desk;
  desk.Wait(kChat, 10, 1, 40);  // 30 to spare
  desk.Wait(kCaptions, 2, 0, 500);
  EXPECT_EQ(desk.Granted(), kCaptions);
  desk.waiting[1].cost_q95 = 16 * kMs;
  EXPECT_EQ(desk.Granted(), kChat);
  EXPECT_EQ(desk.Ask().why, Reason::kSlack);
}

TEST(CreditTest, ThroughputDeadlinesGoBeforeBackground) {
  Desk desk;
  desk.accounts[kResearch].credit = kSecond;
  desk.Wait(kResearch, 10, 5);
  desk.Wait(kImages, 10, 0, 40);
  EXPECT_EQ(desk.Granted(), kImages);
}

TEST(CreditTest, HoldsForTheNextPassOfARequestNoLongerThanTheHold) {
  Desk desk;
  desk.Wait(kImages, 10);
  desk.EndPass(kCaptions, 2);
  const Choice choice = desk.Ask();
  EXPECT_EQ(choice.waiting, -1);
  EXPECT_EQ(choice.look_again, kNow + 4 * kMs);
  desk.EndPass(kCaptions, 6);
  EXPECT_EQ(desk.Granted(), kImages);
}

TEST(CreditTest, HoldsForNobodyWhoWouldNotWin) {
  Desk desk;
  desk.Wait(kImages, 10);
  desk.EndPass(kCaptions, 2);
  desk.accounts[kImages].credit = 1;
  EXPECT_EQ(desk.Granted(), kImages);
}

TEST(CreditTest, HoldsForNobodyWhosePassesComeLater) {
  Desk desk;
  desk.Wait(kImages, 10);
  desk.EndPass(kCaptions, 2);
  desk.accounts[kCaptions].typical_gap = 7 * kMs;
  EXPECT_EQ(desk.Granted(), kImages);
  desk.accounts[kCaptions].typical_gap = 5 * kMs;
  EXPECT_EQ(desk.Granted(), -1);
  desk.params.anticipate = false;
  EXPECT_EQ(desk.Granted(), kImages);
}

TEST(CreditTest, HoldsInTheFrontLaneForTheShorterRequest) {
  Desk desk;
  desk.accounts[kChat].typical_request = 3000 * kMs;
  desk.accounts[kCaptions].typical_request = 300 * kMs;
  desk.EndPass(kCaptions, 1);
  desk.Wait(kChat, 9, 5);
  EXPECT_EQ(desk.Granted(), -1);
  desk.accounts[kChat].typical_request = 30 * kMs;
  EXPECT_EQ(desk.Granted(), kChat);
}

TEST(CreditTest, NoHoldOnADeviceThatPreempts) {
  Desk desk;
  desk.lanes = {1, 1, 2, true};
  desk.Wait(kImages, 10);
  desk.EndPass(kCaptions, 2);
  EXPECT_EQ(desk.Granted(), kImages);
}

TEST(CreditTest, KeepsALongBackStepOutOfTheWayOfAnAnnouncedRequest) {
  Desk desk;
  desk.Wait(kImages, 80);
  Account& captions = desk.accounts[kCaptions];
  captions.last_release = captions.last_active = kNow - kSecond;
  captions.typical_budget = 100 * kMs;
  captions.typical_first_leg = 50 * kMs;
  captions.next_request = kNow + 4 * kMs;  // 54 ms to spare
  const Choice choice = desk.Ask();
  EXPECT_EQ(choice.waiting, -1);
  EXPECT_EQ(choice.look_again, captions.next_request);
  captions.next_request = kNow + 7 * kMs;  // further away than the hold
  EXPECT_EQ(desk.Granted(), kImages);
}

TEST(CreditTest, TheStarvationBoundForcesTheOldestOncePerBound) {
  Desk desk;
  desk.accounts[kCaptions].credit = kSecond;
  desk.Wait(kImages, 500, 2100);
  desk.Wait(kResearch, 500, 2200);
  desk.Wait(kCaptions, 10, 0, 40);
  EXPECT_EQ(desk.Granted(), kResearch);
  EXPECT_EQ(desk.Ask().why, Reason::kForced);
  desk.accounts[kResearch].last_forced = kNow - 1999 * kMs;
  EXPECT_EQ(desk.Granted(), kCaptions);
}

TEST(LedgerTest, WhoIsServedPaysTheOthersByWeight) {
  Account accounts[4] = {{.weight = 2, .last_active = 1},
                         {.weight = 1, .last_active = 1},
                         {.weight = 1, .last_active = 1},
                         {}};
  Pay(accounts, 1, 400, {}, 2);
  EXPECT_EQ(accounts[0].credit, 200);
  EXPECT_EQ(accounts[1].credit, -300);
  EXPECT_EQ(accounts[2].credit, 100);
  EXPECT_EQ(accounts[3].credit, 0);  // not present
}

TEST(LedgerTest, CreditAndDebtEndAtTheCap) {
  Account accounts[2] = {{.last_active = 1}, {.last_active = 1}};
  for (int i = 0; i < 10; ++i) Pay(accounts, 0, kSecond, {}, 2);
  EXPECT_EQ(accounts[0].credit, -kSecond);
  EXPECT_EQ(accounts[1].credit, kSecond);
}

TEST(LedgerTest, WhoWasAwayLongHasNoClaimAndNoDebtOfItsOwn) {
  const PolicyParams params;
  const Nanos now = 100 * kSecond;
  Account accounts[3] = {{.credit = 7, .last_active = now - params.memory - 1},
                         {.credit = -3, .last_active = now},
                         {.credit = -5, .last_active = now}};
  Rejoin(accounts, 0, params, now);
  EXPECT_EQ(accounts[0].credit, -3);
  accounts[0].credit = 7;
  accounts[0].last_active = now - params.memory;
  Rejoin(accounts, 0, params, now);
  EXPECT_EQ(accounts[0].credit, 7);
}

}  // namespace
}  // namespace cbench::share
