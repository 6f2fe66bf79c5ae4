#include "report/trace/trace_requests.h"

#include <algorithm>

#include "base/text.h"
#include "report/request_metrics.h"
#include "report/request_span.h"
#include "report/trace/trace_runs.h"
#include "report/trace/trace_steps.h"

namespace cbench::report {
namespace {

constexpr const char* kOutcomeNames[] = {"done", "met", "missed", "failed", "not ended"};
static_assert(std::size(kOutcomeNames) == kOutcomes);

struct TaskOfRun {
  const RunFacts* run;
  const TaskFacts* task;
};

struct RequestOfTask {
  const RequestFacts* request;
  const RunFacts* run;
  RequestSpan span;
};

// What one app did, over all runs.
struct AppFacts {
  std::string name;
  std::vector<TaskOfRun> tasks;
};

AppFacts& AppOf(const std::string& name, std::vector<AppFacts>& apps) {
  const auto found = std::find_if(apps.begin(), apps.end(),
                                  [&name](const AppFacts& app) { return app.name == name; });
  if (found != apps.end()) return *found;
  return apps.emplace_back(AppFacts{name, {}});
}

// Those of steps only, which a program behind the gate may name as it likes, come last.
std::vector<AppFacts> CollectApps(const std::vector<RunFacts>& runs, const Plan& plan,
                                  const StepsByApp& steps) {
  std::vector<AppFacts> apps;
  for (const PlannedTask& task : plan.tasks) AppOf(task.app, apps);
  for (const RunFacts& run : runs) {
    for (const TaskFacts& task : run.tasks)
      AppOf(task.plan.app, apps).tasks.push_back({&run, &task});
  }
  for (const auto& [app, unused] : steps) AppOf(app, apps);
  return apps;
}

Json RequestArgs(const RequestOfTask& item, const PlannedApp& app) {
  Json args = {{"outcome", kOutcomeNames[OutcomeOf(*item.request, app)]},
               {"run", TraceTitle(*item.run)}};
  const record::RequestDone* done = item.request->done;
  if (!done) return args;
  args["id"] = done->id;
  if (const auto tokens = OutputTokens(*done)) args["tokens"] = *tokens;
  if (done->failure)
    args["failure"] = Printable(done->failure->kind + ": " + done->failure->message);
  return args;
}

class AppTracer {
 public:
  AppTracer(const AppFacts& app, const PlannedApp& plan, TraceFile& file)
      : app_(app), plan_(plan), file_(file), process_(file.AddProcess(Title())) {}

  void Tasks() {
    LanedTrack tracks(file_, process_, "tasks");
    for (const TaskOfRun& item : Started()) {
      const Nanos begin = *item.task->start, end = item.task->end.value_or(item.run->end);
      const Json args = {{"state", item.task->state}, {"run", TraceTitle(*item.run)}};
      file_.Slice(tracks.Take(begin, end), item.task->plan.name, begin, end, args);
    }
  }

  // The tracks of one task's requests stand together, whatever run they are of.
  void Requests() {
    std::vector<std::string> names;
    std::map<std::string, std::vector<RequestOfTask>> requests;
    for (const TaskOfRun& item : app_.tasks) {
      const auto [place, is_new] = requests.try_emplace(item.task->plan.name);
      if (is_new) names.push_back(place->first);
      Collect(item, place->second);
    }
    for (const std::string& name : names) Draw(name, requests[name]);
  }

  void Steps(const std::vector<const record::Step*>& steps) { TraceSteps(steps, process_, file_); }

 private:
  std::string Title() const {
    const std::string name = app_.name.empty() ? "tasks of no app" : "app " + app_.name;
    return plan_.type.empty() ? name
                              : fmt::format("{} ({}, {})", name, plan_.type, plan_.priority_class);
  }

  std::vector<TaskOfRun> Started() const {
    std::vector<TaskOfRun> started;
    for (const TaskOfRun& item : app_.tasks)
      if (item.task->start) started.push_back(item);
    std::stable_sort(started.begin(), started.end(),
                     [](const auto& a, const auto& b) { return *a.task->start < *b.task->start; });
    return started;
  }

  static void Collect(const TaskOfRun& item, std::vector<RequestOfTask>& requests) {
    for (const RequestFacts& request : item.task->requests) {
      const RequestSpan span = SpanOf(request, item.run->end);
      if (span.asked != 0) requests.push_back({&request, item.run, span});
    }
  }

  void Draw(const std::string& name, std::vector<RequestOfTask>& requests) {
    std::stable_sort(requests.begin(), requests.end(),
                     [](const auto& a, const auto& b) { return a.span.asked < b.span.asked; });
    LanedTrack tracks(file_, process_, name);
    for (const RequestOfTask& item : requests)
      Draw(item, tracks.Take(item.span.asked, item.span.end));
  }

  // Phases are nested in it.
  void Draw(const RequestOfTask& item, Track track) {
    const RequestSpan& span = item.span;
    const std::string& kind = item.request->kind;
    file_.Slice(track, kind, span.asked, span.end, RequestArgs(item, plan_));
    Phase(track, "until sent", span.asked, span.begin);
    if (span.first != 0) {
      Phase(track, "until first output", span.begin, span.first);
      Phase(track, "output", span.first, span.end);
    }
    if (item.request->done) DenoisingSteps(track, span, item.request->done->steps);
  }

  void DenoisingSteps(Track track, const RequestSpan& span, const std::vector<Nanos>& stamps) {
    if (span.first != 0) return;
    Nanos last = span.begin;
    for (const Nanos stamp : stamps) {
      const Nanos t = std::clamp(stamp, last, span.end);
      Phase(track, "denoising step", last, t);
      last = t;
    }
  }

  void Phase(Track track, std::string_view name, Nanos begin, Nanos end) {
    if (end - begin >= kMicrosecond) file_.Slice(track, name, begin, end);
  }

  const AppFacts& app_;
  const PlannedApp& plan_;
  TraceFile& file_;
  const int process_;
};

}  // namespace

void TraceApps(const std::vector<RunFacts>& runs, const Plan& plan, TraceFile& file) {
  const StepsByApp steps = SortByApp(runs);
  for (const AppFacts& app : CollectApps(runs, plan, steps)) {
    const auto planned = plan.apps.find(app.name);
    const PlannedApp none;
    AppTracer tracer(app, planned == plan.apps.end() ? none : planned->second, file);
    tracer.Tasks();
    tracer.Requests();
    const auto found = steps.find(app.name);
    if (found != steps.end()) tracer.Steps(found->second);
  }
}

}  // namespace cbench::report
