// The gate's decisions at chosen times.
#include "share/gate/desk.h"

namespace cbench::share {
namespace {

constexpr Nanos kStart = 100 * kSecond;

StepInfo StepOf(std::string app, AppClass app_class = AppClass::kLatency) {
  return {.kind = StepKind::kDecode, .size = 1, .app = std::move(app), .app_class = app_class};
}

// Grants nobody before `open_at`, then everybody.
class Later final : public Policy {
 public:
  using Policy::Policy;
  Choice Choose(const View& view) const override {
    if (view.now >= open_at) return {.waiting = 0, .why = Reason::kOrder, .look_again = 0};
    return {.waiting = -1, .why = Reason::kNone, .look_again = open_at};
  }
  Nanos open_at = kStart + 5 * kMillisecond;
};

class GateDeskTest : public testing::Test {
 protected:
  void Use(const char* policy, const Lanes& lanes = {}) {
    policy_ = std::move(*MakePolicy(policy));
    gate_->lanes = lanes;
    desk_.emplace(*gate_, *policy_);
    client_ = desk_->AddClient(ReadProcessId(getpid()));
  }
  int Claim(const StepInfo& info, Nanos now) {
    const int slot = desk_->Claim(info, client_, now);
    desk_->Dispatch(now, slot);
    return slot;
  }
  void Release(int slot, Nanos now) {
    desk_->Release(slot, now, false);
    desk_->Dispatch(now);
  }
  const Slot& At(int slot) const { return gate_->slots[static_cast<std::size_t>(slot)]; }
  const Hold& LastHold() const { return gate_->ring[(gate_->holds - 1) % kRingSize]; }

  std::unique_ptr<GateLayout> gate_ = std::make_unique<GateLayout>();
  std::unique_ptr<Policy> policy_;
  std::optional<GateDesk> desk_;
  int client_ = -1;
};

TEST_F(GateDeskTest, GrantWakesOnlyTheChosen) {
  Use("fifo");
  const int first = Claim(StepOf("a"), kStart);
  const int second = Claim(StepOf("b"), kStart + 1);
  Claim(StepOf("c"), kStart + 2);
  desk_->Release(first, kStart + 10, false);
  EXPECT_EQ(desk_->Dispatch(kStart + 10), Bit(second));
  EXPECT_EQ(At(second).state, SlotState::kRunning);
}

constexpr Lanes kKernelLanes = {.front = 1, .back = 1, .total = 2, .preempts = true};

TEST_F(GateDeskTest, ABackStepStartsAsideWhereAFrontStepIsThereOrExpected) {
  Use("priority", kKernelLanes);
  // A back step of 10 ms, `at` ms after the start.
  const auto aside = [this](Nanos at) {
    const Nanos now = kStart + at * kMillisecond;
    const int slot = Claim(StepOf("paint", AppClass::kThroughput), now);
    const bool starts = desk_->StartAside(slot, now);
    Release(slot, now + 10 * kMillisecond);
    return starts;
  };
  EXPECT_TRUE(aside(0));  // its length is not known yet
  EXPECT_FALSE(aside(20));
  StepInfo front = StepOf("chat");
  front.next_request = kStart + 1000 * kMillisecond;
  const int slot = Claim(front, kStart + 40 * kMillisecond);
  EXPECT_TRUE(aside(50));
  Release(slot, kStart + 100 * kMillisecond);
  EXPECT_TRUE(aside(150));  // the next token comes soon
  EXPECT_FALSE(aside(300));
  EXPECT_TRUE(aside(950));   // the next request comes soon
  EXPECT_TRUE(aside(1500));  // is late
  EXPECT_FALSE(aside(2100));
}

TEST_F(GateDeskTest, AFrontStepPushesAsideWhoeverWasThereFirst) {
  Use("priority", kKernelLanes);
  Release(Claim(StepOf("paint", AppClass::kThroughput), kStart), kStart + 1);
  const int paint = Claim(StepOf("paint", AppClass::kThroughput), kStart + 2);
  EXPECT_FALSE(desk_->StartAside(paint, kStart + 2));
  gate_->slots[static_cast<std::size_t>(paint)].thread = 7;
  gate_->workers[static_cast<std::size_t>(client_)].count = 1;
  gate_->workers[static_cast<std::size_t>(client_)].threads[0] = 8;
  Claim(StepOf("chat"), kStart + 3);
  std::vector<pid_t> pushed;
  const auto note = [&](pid_t pid, pid_t thread) {
    EXPECT_EQ(pid, getpid());
    pushed.push_back(thread);
  };
  desk_->PushAside(note);
  EXPECT_EQ(pushed, (std::vector<pid_t>{7, 8}));
  EXPECT_EQ(At(paint).aside, 1u);
  desk_->PushAside(note);
  EXPECT_EQ(pushed.size(), 2u);  // once is enough
}

TEST_F(GateDeskTest, CostIsLearntChargedAndPredicted) {
  Use("fifo");
  Release(Claim(StepOf("a"), kStart), kStart + 500);
  const int slot = Claim(StepOf("a"), kStart + 1000);
  EXPECT_EQ(At(slot).step.cost, 500);
  EXPECT_TRUE(At(slot).known);
  Release(slot, kStart + 1700);
  EXPECT_EQ(LastHold().predicted, 500);
  EXPECT_EQ(LastHold().charged, 700);
  EXPECT_EQ(gate_->accounts[0].served, 1200);
  EXPECT_EQ(gate_->costs.Error(0).steps, 1);
}

TEST_F(GateDeskTest, WhoIsDisturbedPaysWhatItWouldHaveTakenAlone) {
  Use("fifo", {.front = 2, .back = 2, .total = 2, .preempts = false});
  Release(Claim(StepOf("a"), kStart), kStart + 500);
  const int a = Claim(StepOf("a"), kStart + 1000);
  const int b = Claim(StepOf("b"), kStart + 1100);
  Release(a, kStart + 2000);
  EXPECT_TRUE(LastHold().disturbed);
  EXPECT_EQ(LastHold().charged, 500);
  EXPECT_EQ(gate_->costs.Predict(0, StepKind::kDecode, 1).mean, 500);
  Release(b, kStart + 2100);  // never seen alone: its whole time is all that is known
  EXPECT_EQ(LastHold().charged, 1000);
}

TEST_F(GateDeskTest, ADevicePreemptsForTheFrontLane) {
  Use("fifo", {.front = 1, .back = 1, .total = 2, .preempts = true});
  const int front = Claim(StepOf("a"), kStart);
  const int back = Claim(StepOf("b", AppClass::kBackground), kStart);
  EXPECT_FALSE(At(front).disturbed);
  EXPECT_TRUE(At(back).disturbed);
}

TEST_F(GateDeskTest, AnOverrunIsFlaggedOnceAndChargedInFull) {
  Use("fifo");
  Release(Claim(StepOf("a"), kStart), kStart + 500);
  const int slot = Claim(StepOf("a"), kStart + 1000);
  desk_->InspectIfDue(kStart + kSecond);
  EXPECT_FALSE(At(slot).overrun);
  desk_->Inspect(kStart + 3 * kSecond);
  desk_->Inspect(kStart + 4 * kSecond);
  EXPECT_TRUE(At(slot).overrun);
  EXPECT_EQ(gate_->overruns, 1u);
  EXPECT_EQ(At(slot).state, SlotState::kRunning);
  Release(slot, kStart + 5 * kSecond);
  EXPECT_TRUE(LastHold().overrun);
  EXPECT_EQ(LastHold().charged, 5 * kSecond - 1000);
}

TEST_F(GateDeskTest, ExactlyOneWaiterLooksAgainWhenThePolicyAsksForIt) {
  Use("fifo");
  const Later later(PolicyParams{});
  desk_.emplace(*gate_, later);
  const int first = Claim(StepOf("a"), kStart);
  EXPECT_EQ(desk_->SetAlarm(first, kStart), later.open_at);
  const int second = Claim(StepOf("b"), kStart + kMillisecond);
  EXPECT_EQ(desk_->SetAlarm(second, kStart + kMillisecond), kStart + kMillisecond + kCheckPeriod);
  EXPECT_EQ(desk_->Dispatch(later.open_at), Bit(first) | Bit(second));
}

TEST_F(GateDeskTest, ASleeperIsToldOfATimeToLookAgainThatCameLater) {
  Use("fifo");
  Later later(PolicyParams{});
  later.open_at = kStart + kSecond;
  desk_.emplace(*gate_, later);
  const int sleeper = Claim(StepOf("a"), kStart);
  EXPECT_EQ(desk_->SetAlarm(sleeper, kStart), kStart + kCheckPeriod);
  later.open_at = kStart + 3 * kMillisecond;
  const std::uint32_t before = At(sleeper).word;
  EXPECT_EQ(desk_->Dispatch(kStart + 1), Bit(sleeper));
  EXPECT_NE(At(sleeper).word, before);
  EXPECT_EQ(desk_->SetAlarm(sleeper, kStart + 2), later.open_at);
  EXPECT_EQ(desk_->Dispatch(kStart + 3), SlotSet{0});  // told already
}

TEST_F(GateDeskTest, AppsBeyondTheLastPlaceTakeThatOfTheLongestAway) {
  Use("fifo");
  Nanos now = kStart;
  for (int i = 0; i <= kMaxAccounts; ++i, now += 10)
    Release(Claim(StepOf(fmt::format("app-{}", i)), now), now + 5);
  EXPECT_EQ(gate_->accounts[0].Name(), fmt::format("app-{}", kMaxAccounts));
  EXPECT_EQ(gate_->accounts[0].steps, 1);
  EXPECT_EQ(gate_->accounts[1].Name(), "app-1");
}

TEST_F(GateDeskTest, LongNamesAreCutAndFoundAgain) {
  Use("fifo");
  const std::string name(100, 'x');
  Release(Claim(StepOf(name), kStart), kStart + 1);
  Release(Claim(StepOf(name), kStart + 2), kStart + 3);
  EXPECT_EQ(gate_->accounts[0].steps, 2);
  EXPECT_TRUE(gate_->accounts[1].Name().empty());
}

TEST_F(GateDeskTest, WhatADeadProcessLeftIsChargedAndFreed) {
  Use("fifo");
  const int slot = Claim(StepOf("a"), kStart);
  gate_->clients[0].process = {.pid = getpid(),
                               .start = 1};  // the number lives, the process does not
  desk_->Inspect(kStart + 100);
  EXPECT_EQ(At(slot).state, SlotState::kFree);
  EXPECT_EQ(gate_->busy, 0u);
  EXPECT_EQ(gate_->deaths, 1u);
  EXPECT_TRUE(LastHold().reclaimed);
  EXPECT_FALSE(gate_->costs.Predict(0, StepKind::kDecode, 1).known);
}

TEST(ProcessIdTest, StartTimeIsReadPastAnyName) {
  const std::string fields = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 777 20";
  EXPECT_EQ(ParseProcessId(42, "42 (a) b) (c\n)" + fields).start, 777u);
  EXPECT_EQ(ParseProcessId(42, "42 (a) Z" + fields.substr(2)), ProcessId{});
  EXPECT_EQ(ParseProcessId(42, "42 (a) S 1 2"), ProcessId{});
  EXPECT_EQ(ParseProcessId(42, ""), ProcessId{});
}

TEST(ProcessIdTest, ANumberUsedAgainIsAnotherProcess) {
  ProcessId self = ReadProcessId(getpid());
  EXPECT_TRUE(IsAlive(self));
  ++self.start;
  EXPECT_FALSE(IsAlive(self));
  EXPECT_FALSE(IsAlive({}));
}

}  // namespace
}  // namespace cbench::share
