#include "report/trace/trace_steps.h"

#include <algorithm>

namespace cbench::report {
namespace {

// Some steps never began, such as those of an engine that was killed while it waited.
bool WasHeld(const record::Step& step) { return step.begin != 0 && step.end >= step.begin; }

Nanos AskedAt(const record::Step& step) {
  return step.asked != 0 ? std::min(step.asked, step.begin) : step.begin;
}

std::vector<const record::Step*> HeldSteps(const std::vector<RunFacts>& runs) {
  std::vector<const record::Step*> steps;
  for (const RunFacts& run : runs) {
    for (const record::Step* step : run.steps)
      if (WasHeld(*step)) steps.push_back(step);
  }
  return steps;
}

Json StepArgs(const record::Step& step) {
  Json args = {{"engine", step.engine}, {"size", step.size}};
  if (step.predicted != 0) args["predicted_us"] = step.predicted / kMicrosecond;
  if (!step.lane.empty()) args["lane"] = step.lane;
  return args;
}

std::string HolderOf(const record::Step& step) {
  return (step.app.empty() ? step.engine : step.app) + ": " + step.kind;
}

}  // namespace

void TraceDevices(const std::vector<RunFacts>& runs, const Plan& plan, TraceFile& file) {
  auto steps = HeldSteps(runs);
  std::stable_sort(steps.begin(), steps.end(),
                   [](const auto* a, const auto* b) { return a->begin < b->begin; });
  std::map<std::string, LanedTrack> devices;
  for (const record::Step* step : steps) {
    const std::string device = DeviceOf(step->engine, plan);
    auto found = devices.find(device);
    if (found == devices.end()) {
      const int process = file.AddProcess("device " + device);
      found = devices.try_emplace(device, file, process, "held by").first;
    }
    const Track track = found->second.Take(step->begin, step->end);
    file.Slice(track, HolderOf(*step), step->begin, step->end, {{"size", step->size}});
  }
}

StepsByApp SortByApp(const std::vector<RunFacts>& runs) {
  StepsByApp apps;
  for (const record::Step* step : HeldSteps(runs))
    if (!step->app.empty()) apps[step->app].push_back(step);
  for (auto& [app, steps] : apps)
    std::stable_sort(steps.begin(), steps.end(),
                     [](const auto* a, const auto* b) { return AskedAt(*a) < AskedAt(*b); });
  return apps;
}

void TraceSteps(const std::vector<const record::Step*>& steps, int process, TraceFile& file) {
  LanedTrack tracks(file, process, "steps");
  for (const record::Step* step : steps) {
    const Nanos asked = AskedAt(*step);
    const Track track = tracks.Take(asked, step->end);
    if (step->begin - asked >= kMicrosecond)
      file.Slice(track, "wait for the gate", asked, step->begin);
    file.Slice(track, step->kind, step->begin, step->end, StepArgs(*step));
  }
}

}  // namespace cbench::report
