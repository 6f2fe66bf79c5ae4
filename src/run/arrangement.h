// How each strategy hands out the device: what every engine's process is started with. Nothing is
// done here; EngineSet starts engines by it and the record keeps it.
//   exclusive  one app has the device to itself: the baseline of slow-downs
//   greedy     as shipped: all cores for each, worker threads spin between steps
//   tamed      cores divided over the engines, worker threads sleep
//   nice       what a careful user does by hand: SCHED_IDLE for background, nice for throughput
//   partition  a fixed share of the cores each, equal or as the scenario says
//   fifo, priority, credit   every step asks the gate (share/gate.h)
#pragma once

#include <string>
#include <vector>

#include "run/plan.h"

namespace cbench::run {

// An engine that a plan uses, with what its apps say about it.
struct EngineUse {
  const scenario::EngineSpec* spec;
  scenario::PriorityClass priority_class;                   // the most urgent of its apps'
  int partition_percent = 0;                                // sum of its apps'; 0: none said
  scenario::AppType first_user = scenario::AppType::kNull;  // its first task's, in workflow order
};
std::vector<EngineUse> EnginesOf(const scenario::Scenario& scenario, const Plan& plan);

struct Placement {
  scenario::EngineSpec spec;             // threads, wait, affinity as decided
  scenario::AppType first_user = {};     // decides how readiness is proven
  std::vector<std::string> prefix = {};  // before its command: {"nice", "-n", "10"}
  bool gated = false;                    // its steps ask the gate
  double quota = 0;                      // of CPU time, in cores; 0: none
  std::string how;                       // for people: "1 of 2 cores (0), 1 thread, passive"
};

// What may be handed out.
struct Supply {
  std::vector<int> cores;  // their numbers
  bool quotas = false;     // engines can be held to a part of a core (share::CpuQuota)
};

// `name` is a strategy's or "exclusive". In the order of `uses`.
std::vector<Placement> Place(std::string_view name, const std::vector<EngineUse>& uses,
                             const Supply& supply);

bool UsesGate(std::string_view name);

// Apps whose commands use a shared ggml: behind a gate each of their graphs asks.
std::vector<const scenario::AppSpec*> SharedCommands(const Plan& plan);

// For the record, as below.
Json CommandToJson(std::string_view strategy);

// For the record: engine -> {threads, wait, affinity, grain, how}.
Json ToJson(const std::vector<Placement>& placements);

}  // namespace cbench::run
