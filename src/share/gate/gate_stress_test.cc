// Many steps of several processes and threads: no step is forgotten, and never do more run at once
// than there are places.
#include <atomic>

#include "share/gate/testing_child.h"

namespace cbench::share {
namespace {

struct Counters {
  std::atomic<int> running = 0, front = 0, back = 0;
  std::atomic<int> most_running = 0, most_front = 0, most_back = 0;
  std::atomic<int> done = 0;
};

void Raise(std::atomic<int>& most, int value) {
  for (int seen = most; seen < value && !most.compare_exchange_weak(seen, value);) {
  }
}

AppClass ClassOfWorker(int worker) { return static_cast<AppClass>(worker % 3); }

void RunSteps(Gate& gate, Counters& counters, int worker, int steps) {
  StepInfo info = StepOf(fmt::format("app-{}", worker), ClassOfWorker(worker));
  const bool front = LaneOf(info.app_class) == Lane::kFront;
  auto& lane = front ? counters.front : counters.back;
  for (int i = 0; i < steps; ++i) {
    info.request =
        std::uint64_t{1000} * static_cast<unsigned>(worker + 1) + static_cast<unsigned>(i / 8);
    info.deadline = front ? Now() + kMillisecond : 0;
    const int slot = gate.Acquire(info);
    Raise(counters.most_running, ++counters.running);
    Raise(front ? counters.most_front : counters.most_back, ++lane);
    for (const Nanos end = Now() + kMicrosecond * (i % 5) * 10; Now() < end;) {
    }
    --lane;
    --counters.running;
    ++counters.done;
    gate.Release(slot);
  }
}

struct Case {
  std::string policy;
  Lanes lanes;
};

class GateStress : public testing::TestWithParam<Case> {};

constexpr int kProcesses = 4, kSteps = 150;

TEST_P(GateStress, Processes) {
  const auto gate = Gate::Create({.policy = GetParam().policy, .lanes = GetParam().lanes});
  ASSERT_TRUE(gate);
  Shared<Counters> counters;
  std::vector<std::unique_ptr<Child>> children;
  children.reserve(kProcesses);
  for (int worker = 0; worker < kProcesses; ++worker) {
    children.push_back(std::make_unique<Child>([&](Child&) {
      const auto mine = Gate::Join((*gate)->path());
      if (!mine) return 1;
      RunSteps(**mine, *counters, worker, kSteps);
      return 0;
    }));
  }
  for (const auto& child : children) EXPECT_EQ(child->Wait(), 0);
  EXPECT_EQ(counters->done, kProcesses * kSteps);
  EXPECT_LE(counters->most_running, GetParam().lanes.total);
  EXPECT_LE(counters->most_front, GetParam().lanes.front);
  EXPECT_LE(counters->most_back, GetParam().lanes.back);
  EXPECT_EQ((*gate)->Status().holds, static_cast<std::uint64_t>(kProcesses * kSteps));
  EXPECT_EQ((*gate)->Status().deaths, 0u);
}

TEST_P(GateStress, Threads) {
  const auto gate = Gate::Create({.policy = GetParam().policy, .lanes = GetParam().lanes});
  ASSERT_TRUE(gate);
  Counters counters;
  std::vector<std::thread> threads;
  threads.reserve(kProcesses);
  for (int worker = 0; worker < kProcesses; ++worker)
    threads.emplace_back([&, worker] { RunSteps(**gate, counters, worker, kSteps); });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(counters.done, kProcesses * kSteps);
  EXPECT_LE(counters.most_running, GetParam().lanes.total);
  EXPECT_TRUE((*gate)->Status().steps.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Policies, GateStress,
    testing::Values(Case{"fifo", {1, 1, 1, false}}, Case{"priority", {1, 1, 2, true}},
                    Case{"credit", {1, 1, 1, false}}, Case{"credit", {2, 1, 3, true}}),
    [](const auto& policy) {
      return fmt::format("{}_{}", policy.param.policy, policy.param.lanes.total);
    });

// Every now and then a process is killed wherever it happens to be; a new one takes its place.
TEST(GateStressTest, ProcessesAreKilledAtRandom) {
  const auto gate = Gate::Create({});
  ASSERT_TRUE(gate);
  Shared<Counters> counters;
  for (int round = 0; round < 20; ++round) {
    const auto body = [&](Child& self) {
      const auto mine = Gate::Join((*gate)->path());
      self.Say("here");
      for (;;) (*mine)->Release((*mine)->Acquire(StepOf("victim")));
      return 0;
    };
    Child a(body), b(body);
    ASSERT_EQ(a.Hear(), "here");
    ASSERT_EQ(b.Hear(), "here");
    RunSteps(**gate, *counters, 0, 20 + round);
    a.Kill();
    RunSteps(**gate, *counters, 0, 5);
    b.Kill();
  }
  RunSteps(**gate, *counters, 0, 5);
  EXPECT_TRUE(Eventually([&] { return (*gate)->Status().processes.size() == 1; }));
  EXPECT_EQ((*gate)->Status().deaths, 40u);
  EXPECT_FALSE((*gate)->open());
}

}  // namespace
}  // namespace cbench::share
