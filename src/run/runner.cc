// Threads: Execute runs on the caller's thread, which mostly waits; RunDag gives every task its
// own; engines are watched by engine/. The writer and the observer are the only things they share.
#include "run/runner.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "app/app.h"
#include "base/cores.h"
#include "base/file.h"
#include "monitor/device_facts.h"
#include "monitor/sampler.h"
#include "record/writer.h"
#include "run/arrangement.h"
#include "run/dag.h"
#include "run/engine_set.h"
#include "run/task_sink.h"

namespace cbench::run {
namespace {

using record::RunStart;

constexpr char kExclusive[] = "exclusive";

// FNV-1a: the same task gets the same seed in every strategy, repetition and build.
std::uint64_t TaskSeed(std::uint64_t seed, std::string_view task) {
  std::uint64_t hash = 0xcbf29ce484222325ull ^ seed;
  for (const char c : task) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

// A task with its app, ready to run once.
struct Job {
  std::unique_ptr<app::App> app;
  std::unique_ptr<TaskSink> sink;
  int planned = 0;
};

class Runner {
 public:
  Runner(const scenario::Scenario& scenario, const RunOptions& options, Observer& observer,
         const Cancel& cancel)
      : scenario_(scenario),
        options_(options),
        observer_(observer),
        caller_(cancel),
        token_(cancel.Subscribe([this] { cancel_.Trigger(); })),
        plan_(MakePlan(scenario)) {}
  ~Runner() { caller_.Unsubscribe(token_); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Result<std::filesystem::path> Execute() {
    CBENCH_TRY(CheckFiles());
    CBENCH_TRY(MakeWriter());
    for (int repeat = 0; repeat < scenario_.repeat; ++repeat) {
      for (const RunStart& start : RunsOf(repeat)) {
        if (cancel_.IsTriggered()) break;
        RunOnce(start);
      }
    }
    const std::filesystem::path directory = writer_->directory();
    if (const auto closed = writer_->Close(); !closed) {
      return Failure("{}; what came before is kept: make room, then see 'cbench report {}'",
                     closed.error().message, directory.string());
    }
    return directory;
  }

 private:
  // One repetition: each app alone if a baseline is wanted, then every strategy.
  std::vector<RunStart> RunsOf(int repeat) const {
    std::vector<RunStart> runs;
    for (const auto& app : scenario_.apps) {
      const bool used = scenario_.exclusive_baseline && !app.engine.empty() &&
                        !MakePlanOf(scenario_, app).empty();
      if (used) runs.push_back({kExclusive, repeat, app.name});
    }
    for (const auto strategy : scenario_.strategies) {
      runs.push_back({std::string(scenario::Name(strategy)), repeat, ""});
    }
    return runs;
  }

  Result<> CheckFiles() {
    const auto missing = scenario::MissingModels(scenario_);
    if (!missing.empty()) return tl::unexpected(missing.front());
    return PrepareJobs();
  }

  // Loads every task's data; done before any engine starts, so that a typo costs no model load.
  Result<> PrepareJobs() {
    jobs_.clear();
    for (const auto& task : plan_) {
      const auto* descriptor = app::FindApp(task.app->type);
      if (!descriptor) return Failure("app {}: no code for its type", task.app->name);
      CBENCH_TRY(descriptor->available());
      Job job{descriptor->make(), nullptr, 0};
      job.sink = std::make_unique<TaskSink>(task.task->name, next_id_, writer_.get(), observer_);
      const auto context = MakeContext(task, *job.sink, nullptr);
      CBENCH_TRY(job.app->Prepare(context));
      job.planned = job.app->PlannedRequests(context);
      jobs_.push_back(std::move(job));
    }
    return {};
  }

  app::Context MakeContext(const PlannedTask& task, app::Sink& sink, engine::Engine* engine) const {
    return {*task.app,
            *task.task,
            engine,
            sink,
            cancel_,
            TaskSeed(scenario_.seed, task.task->name),
            HomeDir(),
            scenario_.path.parent_path(),
            EnvironmentOf(*task.app)};
  }

  GateLog::Environment EnvironmentOf(const scenario::AppSpec& app) const {
    const auto found = environments_.find(app.name);
    return found == environments_.end() ? GateLog::Environment() : found->second;
  }

  // What is arranged for commands that use a shared ggml.
  Result<> ArrangeCommands(const RunStart& start, const GateLog* gate) {
    environments_.clear();
    for (const scenario::AppSpec* app : SharedCommands(plan_)) {
      if (gate) {
        CBENCH_ASSIGN(environments_[app->name], gate->CommandEnvironment(*app));
      }
      if (start.alone.empty())
        header_.arrangements[start.strategy].emplace(app->name, CommandToJson(start.strategy));
    }
    return {};
  }

  Result<> MakeWriter() {
    header_.scenario = scenario::ToJson(scenario_);
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      header_.scenario["tasks"][i]["requests"] = jobs_[i].planned;
    }
    header_.name = scenario_.name;
    header_.started_utc = UtcNow();
    header_.clock_base = Now();
    header_.seed = scenario_.seed;
    header_.device = monitor::DeviceFacts();
    header_.cbench_version = options_.cbench_version;
    header_.command = options_.command;
    CBENCH_ASSIGN(writer_, record::Writer::Create(options_.parent, options_.directory, header_));
    writer_->OnError([this](const Error& error) {
      observer_.OnNote(fmt::format("stopping: {}", error.message));
      cancel_.Trigger();
    });
    observer_.OnNote(fmt::format("record: {}", writer_->directory().string()));
    return {};
  }

  void RunOnce(const RunStart& start) {
    plan_ = start.alone.empty() ? MakePlan(scenario_)
                                : MakePlanOf(scenario_, *scenario_.FindApp(start.alone));
    const auto placements = Place(start.strategy, EnginesOf(scenario_, plan_), supply_);
    std::unique_ptr<GateLog> gate;  // outlives the engines that ask it
    EngineSet engines(scenario_, *writer_, observer_);
    const auto ready = StartEngines(engines, start, placements, gate);
    writer_->Append({Now(), start});
    observer_.OnRunStart(start, plan_, scenario_.repeat);
    if (ready && gate) gate->Begin(engines.Processes());
    std::string status = ready ? RunWorkflow(engines) : NoteFailure(ready.error());
    if (gate) gate->End();
    if (cancel_.IsTriggered()) status = "cancelled";
    writer_->Append({Now(), record::RunEnd{status}});
    observer_.OnRunEnd(status);
    engines.Stop();
  }

  Result<> StartEngines(EngineSet& engines, const RunStart& start,
                        const std::vector<Placement>& placements, std::unique_ptr<GateLog>& gate) {
    CBENCH_TRY(PrepareJobs());
    if (UsesGate(start.strategy)) {
      CBENCH_ASSIGN(gate, GateLog::Make(start.strategy, *writer_));
    }
    CBENCH_TRY(engines.Start(placements, gate.get(), cancel_));
    // Alone, only some of the engines run; what is known of the others stays.
    header_.engines.update(engines.Facts());
    if (start.alone.empty()) header_.arrangements[start.strategy] = ToJson(placements);
    CBENCH_TRY(ArrangeCommands(start, gate.get()));
    return writer_->UpdateHeader(header_);
  }

  std::string NoteFailure(const Error& error) {
    observer_.OnNote(error.message);
    writer_->Append({Now(), record::ErrorEvent{"start", error.message}});
    return "failed";
  }

  // The harness and the engines started here; a server that was attached to is not ours to look at.
  static std::vector<monitor::WatchedProcess> Watched(const EngineSet& engines) {
    std::vector<monitor::WatchedProcess> watched = {{"harness", getpid()}};
    for (const auto& [pid, name] : engines.Processes()) watched.push_back({name, pid});
    return watched;
  }

  monitor::SamplerOptions SamplerOptions() {
    monitor::SamplerOptions options;
    options.rate = options_.sample_rate;
    options.note = [this](std::string_view note) { observer_.OnNote(note); };
    return options;
  }

  std::string RunWorkflow(const EngineSet& engines) {
    const monitor::Sampler sampler(*writer_, monitor::RealSystem(Watched(engines)),
                                   SamplerOptions());
    const int stops = Stops();
    const auto states = RunDag(
        plan_, cancel_, [&](std::size_t i) { return RunTask(i, engines); },
        [&](std::size_t i, TaskState state) { NoteTask(i, Name(state), ""); });
    if (Stops() != stops) {
      writer_->Append({Now(), record::ErrorEvent{
                                  "harness", "cbench was stopped (Ctrl-Z) while engines went on"}});
    }
    const bool failed = std::count(states.begin(), states.end(), TaskState::kFailed) > 0;
    return failed ? "failed" : "done";
  }

  int Stops() const { return options_.stops ? options_.stops() : 0; }

  TaskState RunTask(std::size_t i, const EngineSet& engines) {
    const auto& task = plan_[i];
    NoteTask(i, "started", "");
    const auto context = MakeContext(task, *jobs_[i].sink, engines.Find(task.app->engine));
    const auto result = jobs_[i].app->Run(context);
    const TaskState state = !result                 ? TaskState::kFailed
                            : cancel_.IsTriggered() ? TaskState::kCancelled
                                                    : TaskState::kFinished;
    NoteTask(i, Name(state), result ? "" : result.error().message);
    return state;
  }

  void NoteTask(std::size_t i, std::string_view state, const std::string& detail) {
    const auto& name = plan_[i].task->name;
    writer_->Append({Now(), record::TaskEvent{name, std::string(state), detail}});
    observer_.OnTask(name, state, jobs_[i].planned);
    if (!detail.empty()) observer_.OnNote(fmt::format("task {}: {}", name, detail));
  }

  const scenario::Scenario& scenario_;
  const RunOptions& options_;
  Observer& observer_;
  Cancel cancel_;  // triggered by the caller's, or because the record can no longer be written
  const Cancel& caller_;
  const Cancel::Token token_;
  const Supply supply_{AllowedCores(), share::CpuQuota::Make("try", 1).has_value()};
  std::map<std::string, GateLog::Environment> environments_;  // of commands, by app
  Plan plan_;  // of the run in progress; the whole scenario's before the first
  record::Header header_;
  std::unique_ptr<record::Writer> writer_;
  std::atomic<std::uint64_t> next_id_ = 1;
  std::vector<Job> jobs_;  // one a task, made anew for every run
};

}  // namespace

Result<std::filesystem::path> Execute(const scenario::Scenario& scenario, const RunOptions& options,
                                      Observer& observer, const Cancel& cancel) {
  return Runner(scenario, options, observer, cancel).Execute();
}

}  // namespace cbench::run
