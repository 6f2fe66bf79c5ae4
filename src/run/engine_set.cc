#include "run/engine_set.h"

#include <sys/wait.h>

#include <cstring>

#include "base/file.h"
#include "base/units.h"
#include "engine/readiness.h"

namespace cbench::run {
namespace {

constexpr Nanos kWarmupTimeout = 120 * kSecond;
constexpr Nanos kProgressPeriod = 2 * kSecond;  // of notes while a model is made

// Small requests before the clock starts, so that the first measured one does not pay for cold
// caches, page faults and graph set-up.
Result<> WarmUp(engine::Engine& engine, engine::Modality modality, int count,
                const Cancel& cancel) {
  for (int i = 0; i < count; ++i) {
    CBENCH_TRY(engine::Prove(engine, {modality, engine.spec().IsEmbedded(), Now() + kWarmupTimeout},
                             cancel));
  }
  return {};
}

std::string DescribeExit(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  return fmt::format("exited with code {}", WEXITSTATUS(status));
}

}  // namespace

EngineSet::EngineSet(const scenario::Scenario& scenario, record::Writer& writer, Observer& observer)
    : scenario_(scenario), writer_(writer), observer_(observer) {}

EngineSet::~EngineSet() { Stop(); }

Result<> EngineSet::Start(const std::vector<Placement>& placements, const GateLog* gate,
                          const Cancel& cancel) {
  for (const Placement& placement : placements) CBENCH_TRY(StartOne(placement, gate, cancel));
  return {};
}

Result<> EngineSet::StartOne(const Placement& placement, const GateLog* gate,
                             const Cancel& cancel) {
  const scenario::EngineSpec& spec = placement.spec;
  const auto modality = engine::ModalityOf(spec, placement.first_user);
  observer_.OnNote(fmt::format("engine {}: {} {}", spec.name,
                               spec.attach.empty() ? "starting" : "attaching to",
                               spec.attach.empty() ? spec.model : spec.attach));
  writer_.Append({Now(), record::EngineEvent{spec.name, "starting", 0, 0, ""}});

  engine::LaunchOptions options;
  options.log = writer_.LogPath(spec.name);
  options.cbench = SelfPath();
  options.prefix = placement.prefix;
  if (placement.gated && gate) options.environment.push_back(gate->environment());
  options.progress = [this, name = spec.name, next = Nanos{0}](std::string_view line) mutable {
    if (Now() < next) return;
    next = Now() + kProgressPeriod;
    observer_.OnNote(fmt::format("engine {}: {}", name, line));
  };
  options.on_exit = [this, name = spec.name](int status) { NoteExit(name, status); };
  CBENCH_ASSIGN(auto running, engine::Launch(spec, modality, options, cancel));
  CBENCH_TRY(Limit(placement, running->pid()));
  CBENCH_TRY(WarmUp(running->engine(), modality, scenario_.warmup, cancel));

  observer_.OnNote(
      fmt::format("engine {}: ready after {}", spec.name, FormatDuration(running->load_time())));
  writer_.Append(
      {Now(), record::EngineEvent{spec.name, "ready", running->pid(), running->load_time(), ""}});
  running_[spec.name] = std::move(running);
  return {};
}

// Only once it is ready: loading a model is not what shares the device.
Result<> EngineSet::Limit(const Placement& placement, pid_t process) {
  if (placement.quota == 0) return {};
  CBENCH_ASSIGN(auto quota, share::CpuQuota::Make(placement.spec.name, placement.quota));
  CBENCH_TRY(quota.Add(process));
  quotas_.emplace(placement.spec.name, std::move(quota));
  return {};
}

void EngineSet::NoteExit(const std::string& name, int status) {
  const std::string how = DescribeExit(status);
  observer_.OnNote(fmt::format("engine {}: {}; see {}", name, how, writer_.LogPath(name).string()));
  writer_.Append({Now(), record::EngineEvent{name, "crashed", 0, 0, how}});
}

void EngineSet::Stop() {
  for (auto& [name, running] : running_) {
    running->Stop();
    writer_.Append({Now(), record::EngineEvent{name, "stopped", running->pid(), 0, ""}});
  }
  running_.clear();
  quotas_.clear();
}

engine::Engine* EngineSet::Find(const std::string& name) const {
  const auto found = running_.find(name);
  return found == running_.end() ? nullptr : &found->second->engine();
}

std::map<int, std::string> EngineSet::Processes() const {
  std::map<int, std::string> processes;
  for (const auto& [name, running] : running_) {
    if (running->pid() > 0) processes[running->pid()] = name;
  }
  return processes;
}

Json EngineSet::Facts() const {
  Json facts = Json::object();
  for (const auto& [name, running] : running_) facts[name] = running->facts();
  return facts;
}

}  // namespace cbench::run
