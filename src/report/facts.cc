#include "report/facts.h"

#include <algorithm>
#include <unordered_map>

namespace cbench::report {
namespace {

class Collector {
 public:
  explicit Collector(const Plan& plan) : plan_(plan) {}

  void Add(const record::Event& event) {
    t_ = event.t;
    if (!ended_ && !runs_.empty()) runs_.back().end = std::max(runs_.back().end, t_);
    std::visit([this](const auto& body) { Take(body); }, event.body);
  }
  std::vector<RunFacts> Finish() { return std::move(runs_); }

 private:
  // Where a request stands; runs_ and tasks grow, so these are indices.
  struct Place {
    std::size_t run, task, request;
  };

  void Take(const record::RunStart& start) {
    RunFacts& run = runs_.emplace_back();
    run.strategy = start.strategy;
    run.repeat = start.repeat;
    run.alone = start.alone;
    run.start = run.end = t_;
    ended_ = false;
    task_index_.clear();
    for (const PlannedTask& task : plan_.tasks) {
      if (!run.alone.empty() && task.app != run.alone) continue;
      task_index_.emplace(task.name, run.tasks.size());
      run.tasks.emplace_back().plan = task;
    }
  }

  void Take(const record::RunEnd& end) {
    ended_ = true;
    if (!runs_.empty()) runs_.back().status = end.status;
  }

  void Take(const record::EngineEvent& engine) {
    if (runs_.empty() || engine.state != "crashed") return;
    runs_.back().crashes.push_back(engine.engine +
                                   (engine.detail.empty() ? "" : ": " + engine.detail));
  }

  void Take(const record::TaskEvent& event) {
    if (runs_.empty()) return;
    TaskFacts& task = runs_.back().tasks[TaskNumber(event.task)];
    const bool started = event.state == "started";
    if (started) task.start = t_;
    if (!started && task.start) task.end = t_;  // a skipped task has no time
    task.state = started ? "running" : event.state;
    task.detail = event.detail;
  }

  void Take(const record::RequestIssued& issued) {
    if (!runs_.empty()) Issue(issued.id, issued.task, issued.kind, issued.t_sched);
  }

  void Take(const record::RequestDone& done) {
    if (runs_.empty()) return;
    const auto found = places_.find(done.id);
    const Place place =
        found != places_.end() ? found->second : Issue(done.id, done.task, done.kind, done.t_sched);
    auto& request = runs_[place.run].tasks[place.task].requests[place.request];
    if (!request.done) request.done = &done;
  }

  void Take(const record::Step& step) {
    if (!runs_.empty()) runs_.back().steps.push_back(&step);
  }

  void Take(const record::ProbeEvent&) {}  // of the timeline, not of the run's judgement

  void Take(const record::ErrorEvent& error) {
    if (!runs_.empty()) runs_.back().errors.push_back(error.where + ": " + error.message);
  }

  Place Issue(std::uint64_t id, const std::string& task_name, const std::string& kind,
              Nanos sched) {
    const std::size_t task = TaskNumber(task_name);
    auto& requests = runs_.back().tasks[task].requests;
    const Place place{runs_.size() - 1, task, requests.size()};
    if (places_.emplace(id, place).second) requests.push_back({kind, nullptr, sched});
    return places_.at(id);
  }

  std::size_t TaskNumber(const std::string& name) {
    auto& tasks = runs_.back().tasks;
    const auto [found, is_new] = task_index_.emplace(name, tasks.size());
    if (is_new) tasks.emplace_back().plan.name = name;
    return found->second;
  }

  const Plan& plan_;
  std::vector<RunFacts> runs_;
  std::unordered_map<std::string, std::size_t> task_index_;  // of the current run
  std::unordered_map<std::uint64_t, Place> places_;
  Nanos t_ = 0;
  bool ended_ = false;  // the current run
};

}  // namespace

std::vector<RunFacts> CollectRuns(const record::Record& record, const Plan& plan) {
  Collector collector(plan);
  for (const record::Event& event : record.events) collector.Add(event);
  return collector.Finish();
}

}  // namespace cbench::report
