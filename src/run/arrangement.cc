#include "run/arrangement.h"

#include <algorithm>
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

// What the scenario states stays; only what it leaves open is decided here.
void Decide(Placement& placement, int threads, const char* wait) {
  if (placement.spec.threads == 0) placement.spec.threads = threads;
  if (placement.spec.wait.empty()) placement.spec.wait = wait;
}

std::string Threads(const Placement& placement) {
  const int threads = placement.spec.threads;
  return fmt::format("{}, {}",
                     threads == 0   ? "a thread for each core"
                     : threads == 1 ? "1 thread"
                                    : fmt::format("{} threads", threads),
                     placement.spec.wait == "spin" ? "spinning" : "sleeping between steps");
}

Placement Plain(const EngineUse& use, int threads, const char* wait) {
  Placement placement = Untouched(use);
  Decide(placement, threads, wait);
  placement.how = Threads(placement);
  return placement;
}

Placement Nice(const EngineUse& use) {
  Placement placement = Plain(use, 0, "passive");
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
  Placement placement = Plain(use, static_cast<int>(cores.size()), "passive");
  const auto list = fmt::format("{}", fmt::join(cores, ","));
  placement.prefix = {"taskset", "--cpu-list", list};
  placement.how = fmt::format("core {} alone, {}", list, placement.how);
  return placement;
}

Placement SharedCore(const EngineUse& use, int core, double share) {
  Placement placement = Plain(use, 1, "passive");
  placement.prefix = {"taskset", "--cpu-list", fmt::to_string(core)};
  placement.how = fmt::format("core {}, which others may share: {:.2f} cores do not divide; {}",
                              core, share, placement.how);
  return placement;
}

// Whole cores of its own for each where the shares allow; else one core each, shared in turn: a
// smaller part cannot be enforced by affinity.
std::vector<Placement> Partition(const std::vector<EngineUse>& uses, std::span<const int> cores) {
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
                              : SharedCore(uses[i], cores[next % cores.size()], shares[i]));
    next += count;
  }
  return placements;
}

Placement Gated(std::string_view policy, const EngineUse& use) {
  Placement placement = Plain(use, 0, "passive");
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
  if (name == "greedy") return Plain(use, 0, "spin");
  if (name == "tamed") return Plain(use, std::max(1, cores / engines), "passive");
  if (name == "nice") return Nice(use);
  if (UsesGate(name)) return Gated(name, use);
  return Plain(use, 0, "passive");
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
                             const std::vector<int>& cores) {
  const bool attached = std::any_of(uses.begin(), uses.end(),
                                    [](const EngineUse& use) { return !use.spec->attach.empty(); });
  if (name == "partition" && !attached && !uses.empty()) return Partition(uses, cores);
  std::vector<Placement> placements;
  for (const EngineUse& use : uses) {
    placements.push_back(
        PlaceOne(name, use, static_cast<int>(uses.size()), static_cast<int>(cores.size())));
  }
  return placements;
}

Json ToJson(const std::vector<Placement>& placements) {
  Json json = Json::object();
  for (const Placement& placement : placements) {
    json[placement.spec.name] = {{"threads", placement.spec.threads},
                                 {"wait", placement.spec.wait},
                                 {"grain", placement.gated ? "step" : "none"},
                                 {"how", placement.how}};
  }
  return json;
}

}  // namespace cbench::run
