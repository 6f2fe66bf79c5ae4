// What must hold for every workload, tried on many random ones. The seed names the workload.
#include <algorithm>
#include <map>

#include "share/simulator.h"
#include "share/testing_traces.h"

namespace cbench::share {
namespace {

constexpr unsigned kSeeds = 300;
constexpr Lanes kDevices[] = {{1, 1, 1, false}, {1, 1, 2, true}, {1, 1, 2, false}, {8, 1, 9, true}};

Simulation Play(const std::vector<TraceApp>& trace, const Policy& policy,
                const SimulatorOptions& options = {}) {
  auto played = Simulate(trace, policy, options);
  EXPECT_TRUE(played) << played.error().message;
  return played ? std::move(*played) : Simulation{};
}

std::size_t StepsOf(const std::vector<TraceApp>& trace) {
  std::size_t n = 0;
  for (const TraceApp& app : trace)
    for (const TraceRequest& request : app.requests) n += request.steps.size();
  return n;
}

Nanos LongestStep(const Simulation& played) {
  Nanos longest = 0;
  for (const SimulatedStep& step : played.steps) longest = std::max(longest, step.cost);
  return longest;
}

// Most steps that ran at once, of one lane or (nullopt) of both.
int MostAtOnce(const std::vector<TraceApp>& trace, const Simulation& played,
               std::optional<Lane> lane) {
  std::map<Nanos, int> changes;
  for (const SimulatedStep& step : played.steps) {
    if (lane && LaneOf(trace[static_cast<std::size_t>(step.app)].app_class) != *lane) continue;
    ++changes[step.granted];
    --changes[step.released];
  }
  int running = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, running += change);
  return most;
}

TEST(PolicyPropertyTest, EveryStepRunsOnceAndWithinTheLanes) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto trace = RandomTraces(seed).Mixed();
    for (const auto name : {"fifo", "priority", "credit"}) {
      const Lanes lanes = kDevices[seed % 4];
      const auto played = Play(trace, **MakePolicy(name), {.lanes = lanes});
      ASSERT_EQ(played.steps.size(), StepsOf(trace)) << name << " seed " << seed;
      ASSERT_LE(MostAtOnce(trace, played, std::nullopt), lanes.total) << name << " seed " << seed;
      ASSERT_LE(MostAtOnce(trace, played, Lane::kFront), lanes.front) << name << " seed " << seed;
      ASSERT_LE(MostAtOnce(trace, played, Lane::kBack), lanes.back) << name << " seed " << seed;
    }
  }
}

TEST(PolicyPropertyTest, FifoGrantsInTheOrderOfAsking) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto played = Play(RandomTraces(seed).Mixed(), **MakePolicy("fifo"));
    for (std::size_t i = 1; i < played.steps.size(); ++i)
      ASSERT_LE(played.steps[i - 1].asked, played.steps[i].asked) << "seed " << seed;
  }
}

TEST(PolicyPropertyTest, PriorityPassesNobodyMoreUrgent) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto trace = RandomTraces(seed).Mixed();
    const auto played = Play(trace, **MakePolicy("priority"));
    const auto rank = [&](const SimulatedStep& step) {
      return std::pair(trace[static_cast<std::size_t>(step.app)].app_class, step.asked);
    };
    for (std::size_t i = 0; i < played.steps.size(); ++i)
      for (std::size_t k = i + 1; k < played.steps.size(); ++k)
        if (played.steps[k].asked <= played.steps[i].granted) {
          ASSERT_LE(rank(played.steps[i]), rank(played.steps[k])) << "seed " << seed;
        }
  }
}

// With n apps a step is among the n oldest once it is over the bound, and one is forced each bound.
TEST(PolicyPropertyTest, NobodyStarves) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto trace = RandomTraces(seed).Mixed();
    PolicyParams params;
    params.starvation = 100 * kMillisecond;
    const auto played = Play(trace, **MakePolicy("credit", params));
    const auto n = static_cast<Nanos>(trace.size());
    const Nanos bound = (n + 1) * (params.starvation + LongestStep(played) + params.hold);
    for (const SimulatedApp& app : played.apps) ASSERT_LE(app.longest_wait, bound) << seed;
  }
}

TEST(PolicyPropertyTest, CreditStaysWithinTheCap) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    PolicyParams params;
    params.cap = 30 * kMillisecond;
    const auto played = Play(RandomTraces(seed).Mixed(), **MakePolicy("credit", params));
    for (const Account& account : played.accounts)
      ASSERT_LE(std::abs(account.credit), params.cap) << "seed " << seed;
  }
}

TEST(PolicyPropertyTest, CreditIsNeitherCreatedNorLostBelowTheCap) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    PolicyParams params;
    params.cap = params.memory = 1000 * kSecond;
    const auto played = Play(RandomTraces(seed).Mixed(), **MakePolicy("credit", params));
    Nanos sum = 0, served = 0, cost = 0;
    for (const Account& account : played.accounts) sum += account.credit, served += account.served;
    for (const SimulatedStep& step : played.steps) cost += step.cost;
    ASSERT_EQ(sum, 0) << "seed " << seed;
    ASSERT_EQ(served, cost) << "seed " << seed;
  }
}

TEST(PolicyPropertyTest, IdlesWithAWaiterNoLongerThanTheHoldAndNeverWithoutAnticipation) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto trace = RandomTraces(seed).Mixed();
    PolicyParams params;
    const SimulatorOptions options{.lanes = kDevices[seed % 4]};
    ASSERT_LE(Play(trace, **MakePolicy("credit", params), options).longest_idle, params.hold);
    params.anticipate = false;
    ASSERT_EQ(Play(trace, **MakePolicy("credit", params), options).idle_with_waiter, 0);
  }
}

// One step an app, all there at the start, some behind without deadlines.
std::vector<TraceApp> DeadlinesAtOnce(RandomTraces& random) {
  std::vector<TraceApp> apps;
  const int n = random.Pick(2, 6);
  for (int i = 0; i < n; ++i) {
    const bool front = i == 0 || random.Pick(0, 3) > 0;
    TraceStep step{.cost = random.Pick(1, 60) * kMillisecond};
    TraceRequest request{.deadline = front ? random.Pick(5, 300) * kMillisecond : 0,
                         .steps = {step}};
    apps.push_back({"app" + std::to_string(i),
                    front ? AppClass::kLatency : AppClass::kBackground,
                    1,
                    {request}});
  }
  return apps;
}

// Every order of the steps that have deadlines, until one meets them all.
bool SomeOrderMeetsAll(const std::vector<TraceApp>& apps) {
  std::vector<std::pair<Nanos, Nanos>> jobs;  // cost, deadline
  for (const TraceApp& app : apps)
    if (const TraceRequest& request = app.requests[0]; request.deadline > 0)
      jobs.emplace_back(request.steps[0].cost, request.deadline);
  std::sort(jobs.begin(), jobs.end());
  do {
    Nanos now = 0;
    if (std::all_of(jobs.begin(), jobs.end(),
                    [&](const auto& job) { return (now += job.first) <= job.second; }))
      return true;
  } while (std::next_permutation(jobs.begin(), jobs.end()));
  return false;
}

TEST(PolicyPropertyTest, MeetsEveryDeadlineThatAnyOrderMeets) {
  int feasible = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    RandomTraces random(seed);
    const auto apps = DeadlinesAtOnce(random);
    if (!SomeOrderMeetsAll(apps)) continue;
    ++feasible;
    const auto played = Play(apps, **MakePolicy("credit"), {.lanes = {}, .exact_costs = true});
    for (const SimulatedStep& step : played.steps) ASSERT_FALSE(step.Late()) << "seed " << seed;
  }
  EXPECT_GT(feasible, 500);
}

TEST(PolicyPropertyTest, CreditMeetsMoreDeadlinesThanFirstComeFirstServed) {
  std::map<std::string_view, int> met;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    const auto trace = RandomTraces(seed).Mixed();
    for (const std::string_view name : {"fifo", "credit"}) {
      const auto played = Play(trace, **MakePolicy(name));
      for (std::size_t i = 0; i < trace.size(); ++i)
        if (trace[i].app_class == AppClass::kLatency) met[name] += played.apps[i].met;
    }
  }
  EXPECT_GT(met["credit"], met["fifo"]);
}

}  // namespace
}  // namespace cbench::share
