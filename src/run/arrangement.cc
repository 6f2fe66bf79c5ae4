#include "run/arrangement.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace cbench::run {
namespace {

using scenario::PriorityClass;

Placement Untouched(const EngineUse& use) {
  Placement placement;
  placement.spec = *use.spec;
  placement.first_user = use.first_user;
  return placement;
}

// How an engine computes. What the scenario states stays; this is for what it leaves open.
struct Manner {
  int threads = 0;
  const char* wait = "passive";
  const char* affinity = "any";
};
// As fast as it can be where nothing else disturbs it, or a gate sees to that.
constexpr Manner kUndisturbed{.affinity = "own"};

void Decide(Placement& placement, const Manner& manner) {
  if (placement.spec.threads == 0) placement.spec.threads = manner.threads;
  if (placement.spec.wait.empty()) placement.spec.wait = manner.wait;
  if (placement.spec.affinity.empty()) placement.spec.affinity = manner.affinity;
}

std::string Threads(const Placement& placement) {
  const int threads = placement.spec.threads;
  const bool kept = placement.spec.affinity == "own";
  return fmt::format("{}, {}",
                     threads == 0   ? kept ? "a thread kept on each core" : "a thread for each core"
                     : threads == 1 ? "1 thread"
                                    : fmt::format("{} threads", threads),
                     placement.spec.wait == "spin" ? "spinning" : "sleeping between steps");
}

Placement Plain(const EngineUse& use, const Manner& manner) {
  Placement placement = Untouched(use);
  Decide(placement, manner);
  placement.how = Threads(placement);
  return placement;
}

Placement Nice(const EngineUse& use) {
  Placement placement = Plain(use, {});
  if (use.priority_class == PriorityClass::kBackground) {
    placement.prefix = {"chrt", "--idle", "0"};
    placement.how += ", SCHED_IDLE";
  } else if (use.priority_class == PriorityClass::kThroughput) {
    placement.prefix = {"nice", "-n", "10"};
    placement.how += ", nice 10";
  }
  return placement;
}

// Shares in percent: the stated ones, the rest of 100 divided equally over the others.
std::vector<double> Shares(const std::vector<EngineUse>& uses) {
  double stated = 0;
  int silent = 0;
  for (const EngineUse& use : uses) {
    stated += use.partition_percent;
    silent += use.partition_percent == 0;
  }
  const double scale = stated > 100 || (silent == 0 && stated > 0) ? 100 / stated : 1;
  std::vector<double> shares;
  for (const EngineUse& use : uses) {
    shares.push_back(use.partition_percent > 0 ? use.partition_percent * scale
                                               : std::max(1.0, (100 - stated) / silent));
  }
  return shares;
}

int WholeCores(double share) { return static_cast<int>(share + 0.01); }

Placement OwnCores(const EngineUse& use, std::span<const int> cores) {
  Placement placement = Plain(use, {.threads = static_cast<int>(cores.size()), .affinity = "own"});
  const auto list = fmt::format("{}", fmt::join(cores, ","));
  placement.prefix = {"taskset", "--cpu-list", list};
  placement.how = fmt::format("core {} alone, {}", list, placement.how);
  return placement;
}

Placement SharedCore(const EngineUse& use, int core, double share) {
  Placement placement = Plain(use, {.threads = 1});
  placement.prefix = {"taskset", "--cpu-list", fmt::to_string(core)};
  placement.how = fmt::format("core {}, which others may share: {:.2f} cores do not divide; {}",
                              core, share, placement.how);
  return placement;
}

// Threads that would wait for each other within the quota would spend it on waiting: no more of
// them than the quota can feed.
Placement Limited(const EngineUse& use, double cores) {
  Placement placement = Plain(use, {.threads = static_cast<int>(std::ceil(cores - 0.01))});
  placement.quota = cores;
  placement.how = fmt::format("time of {:.2f} cores by quota, {}", cores, placement.how);
  return placement;
}

// Whole cores of its own for each where the shares allow; else a quota each; where there are none,
// one core each, shared in turn: a smaller part cannot be enforced by affinity.
std::vector<Placement> Partition(const std::vector<EngineUse>& uses, const Supply& supply) {
  const std::span<const int> cores = supply.cores;
  std::vector<double> shares = Shares(uses);
  const auto all = static_cast<int>(cores.size());
  int whole = 0;
  for (double& share : shares) whole += WholeCores(share *= all / 100.0);
  const bool fits = whole <= all && WholeCores(*std::min_element(shares.begin(), shares.end())) > 0;
  std::vector<Placement> placements;
  std::size_t next = 0;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const std::size_t count = fits ? static_cast<std::size_t>(WholeCores(shares[i])) : 1;
    placements.push_back(fits ? OwnCores(uses[i], cores.subspan(next, count))
                         : supply.quotas
                             ? Limited(uses[i], shares[i])
                             : SharedCore(uses[i], cores[next % cores.size()], shares[i]));
    next += count;
  }
  return placements;
}

Placement Gated(std::string_view policy, const EngineUse& use) {
  Placement placement = Plain(use, kUndisturbed);
  placement.gated = true;
  placement.how += fmt::format(", every step asks the {} gate", policy);
  return placement;
}

Placement PlaceOne(std::string_view name, const EngineUse& use, int engines, int cores) {
  if (!use.spec->attach.empty()) {
    Placement placement = Untouched(use);
    placement.how = "runs already: nothing is arranged";
    return placement;
  }
  if (name == "greedy") return Plain(use, {.wait = "spin"});
  if (name == "tamed") return Plain(use, {.threads = std::max(1, cores / engines)});
  if (name == "nice") return Nice(use);
  if (UsesGate(name)) return Gated(name, use);
  return Plain(use, kUndisturbed);  // exclusive
}

}  // namespace

std::vector<EngineUse> EnginesOf(const scenario::Scenario& scenario, const Plan& plan) {
  std::vector<EngineUse> uses;
  for (const scenario::EngineSpec& spec : scenario.engines) {
    EngineUse use{&spec, PriorityClass::kBackground, 0};
    std::vector<const scenario::AppSpec*> apps;
    for (const PlannedTask& task : plan) {
      if (task.app->engine != spec.name) continue;
      if (std::find(apps.begin(), apps.end(), task.app) != apps.end()) continue;
      if (apps.empty()) use.first_user = task.app->type;
      apps.push_back(task.app);
      use.priority_class = std::min(use.priority_class, task.app->priority_class);
      use.partition_percent += task.app->partition_percent;
    }
    if (!apps.empty()) uses.push_back(use);
  }
  return uses;
}

bool UsesGate(std::string_view name) {
  return name == "fifo" || name == "priority" || name.starts_with("credit");
}

std::vector<Placement> Place(std::string_view name, const std::vector<EngineUse>& uses,
                             const Supply& supply) {
  const bool attached = std::any_of(uses.begin(), uses.end(),
                                    [](const EngineUse& use) { return !use.spec->attach.empty(); });
  if (name == "partition" && !attached && !uses.empty()) return Partition(uses, supply);
  std::vector<Placement> placements;
  for (const EngineUse& use : uses) {
    placements.push_back(
        PlaceOne(name, use, static_cast<int>(uses.size()), static_cast<int>(supply.cores.size())));
  }
  return placements;
}

std::vector<const scenario::AppSpec*> SharedCommands(const Plan& plan) {
  std::vector<const scenario::AppSpec*> apps;
  for (const PlannedTask& task : plan) {
    const bool known = std::find(apps.begin(), apps.end(), task.app) != apps.end();
    if (task.app->ggml == "shared" && !known) apps.push_back(task.app);
  }
  return apps;
}

Json CommandToJson(std::string_view strategy) {
  if (!UsesGate(strategy)) return {{"grain", "none"}, {"how", "a command: nothing is arranged"}};
  return {{"grain", "graph"}, {"how", fmt::format("every graph asks the {} gate", strategy)}};
}

Json ToJson(const std::vector<Placement>& placements) {
  Json json = Json::object();
  for (const Placement& placement : placements) {
    json[placement.spec.name] = {{"threads", placement.spec.threads},
                                 {"wait", placement.spec.wait},
                                 {"affinity", placement.spec.affinity},
                                 {"grain", placement.gated ? "step" : "none"},
                                 {"how", placement.how}};
  }
  return json;
}

}  // namespace cbench::run
