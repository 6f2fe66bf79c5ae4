#include "run/arrangement.h"

#include <algorithm>

namespace cbench::run {
namespace {

using scenario::PriorityClass;

Placement Untouched(const EngineUse& use) {
  Placement placement;
  placement.spec = *use.spec;
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

Placement Tamed(const EngineUse& use, int engines, int cores) {
  Placement placement = Untouched(use);
  Decide(placement, std::max(1, cores / engines), "passive");
  placement.how = Threads(placement);
  return placement;
}

Placement Nice(const EngineUse& use) {
  Placement placement = Untouched(use);
  Decide(placement, 0, "passive");
  placement.how = Threads(placement);
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

// Whole cores of its own for each where the shares allow; else one core each, shared in turn: a
// smaller part cannot be enforced by affinity.
std::vector<Placement> Partition(const std::vector<EngineUse>& uses, int cores) {
  const std::vector<double> shares = Shares(uses);
  int whole = 0;
  bool fits = true;
  for (const double share : shares) {
    const int n = static_cast<int>(share * cores / 100 + 0.01);
    fits = fits && n >= 1;
    whole += n;
  }
  fits = fits && whole <= cores;
  std::vector<Placement> placements;
  int next = 0;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    Placement placement = Untouched(uses[i]);
    const double share = shares[i] * cores / 100;
    if (fits) {
      const int n = static_cast<int>(share + 0.01);
      const auto range = n == 1 ? fmt::to_string(next) : fmt::format("{}-{}", next, next + n - 1);
      next += n;
      placement.prefix = {"taskset", "--cpu-list", range};
      Decide(placement, n, "passive");
      placement.how = fmt::format("core {} alone, {}", range, Threads(placement));
    } else {
      const std::size_t core = i % static_cast<std::size_t>(cores);
      placement.prefix = {"taskset", "--cpu-list", fmt::to_string(core)};
      Decide(placement, 1, "passive");
      placement.how = fmt::format("core {}, which others may share: {:.2f} cores do not divide; {}",
                                  core, share, Threads(placement));
    }
    placements.push_back(std::move(placement));
  }
  return placements;
}

Placement Plain(const EngineUse& use, const char* wait) {
  Placement placement = Untouched(use);
  Decide(placement, 0, wait);
  placement.how = Threads(placement);
  return placement;
}

Placement Gated(std::string_view policy, const EngineUse& use) {
  Placement placement = Plain(use, "passive");
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
  if (name == "greedy") return Plain(use, "spin");
  if (name == "tamed") return Tamed(use, engines, cores);
  if (name == "nice") return Nice(use);
  if (UsesGate(name)) return Gated(name, use);
  return Plain(use, "passive");
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
      apps.push_back(task.app);
      use.priority_class = std::min(use.priority_class, task.app->priority_class);
      use.partition_percent += task.app->partition_percent;
    }
    if (!apps.empty()) uses.push_back(use);
  }
  return uses;
}

bool UsesGate(std::string_view name) {
  return name == "fifo" || name == "priority" || name == "credit";
}

std::vector<Placement> Place(std::string_view name, const std::vector<EngineUse>& uses, int cores) {
  const bool attached = std::any_of(uses.begin(), uses.end(),
                                    [](const EngineUse& use) { return !use.spec->attach.empty(); });
  if (name == "partition" && !attached && !uses.empty()) return Partition(uses, cores);
  std::vector<Placement> placements;
  for (const EngineUse& use : uses) {
    placements.push_back(PlaceOne(name, use, static_cast<int>(uses.size()), cores));
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
