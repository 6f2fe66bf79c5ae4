// Plays a trace against a policy on a simulated clock: what would each app have waited, and which
// deadlines would have been met? The device is one that serves steps as alone: front-lane steps
// at full speed, a back-lane step at full speed unless a preempting device runs a front step.
// More steps than `lanes.total` (policy open) share the device equally. Good for comparing
// policies and for tests; it knows nothing of caches, memory or clocks that throttle.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "share/policy.h"
#include "share/trace.h"

namespace cbench::share {

struct SimulatorOptions {
  Lanes lanes;
  bool exact_costs = false;  // the policy is told what steps cost; else the cost model learns
};

struct SimulatedStep {
  int app = 0;
  std::uint64_t request = 0;  // its number within the app, from 1
  Nanos asked = 0, granted = 0, released = 0;
  Nanos deadline = 0;  // 0: none
  Nanos cost = 0;
  Reason why = Reason::kNone;
  bool Late() const { return deadline != 0 && released > deadline; }
};

struct SimulatedApp {
  std::string name;
  int requests = 0;
  int met = 0;             // requests none of whose steps was late
  Nanos served = 0;        // device time
  Nanos longest_wait = 0;  // of a step for its grant
  Nanos took = 0;          // sum over requests: last release - start, queueing included
  double Attainment() const { return requests > 0 ? static_cast<double>(met) / requests : 0; }
};

struct Simulation {
  std::vector<SimulatedStep> steps;  // in the order of their release
  std::vector<SimulatedApp> apps;    // as in the trace
  std::vector<Account> accounts;     // at the end
  Nanos end = 0;
  Nanos idle_with_waiter = 0;  // nothing ran though somebody waited: the price of holds
  Nanos longest_idle = 0;      // ... the longest single one
};

// The apps' steps; all of the trace is played. A policy that leaves a waiter for good is a Failure.
Result<Simulation> Simulate(std::span<const TraceApp> trace, const Policy& policy,
                            const SimulatorOptions& options = {});

}  // namespace cbench::share
