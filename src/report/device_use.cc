#include "report/device_use.h"

#include <algorithm>

namespace cbench::report {
namespace {

DeviceUse FromSteps(const RunFacts& facts, const Plan& plan, Interval window) {
  std::map<std::string, Intervals> held;
  for (const record::Step* step : facts.steps) {
    if (step->begin != 0) held[DeviceOf(step->engine, plan)].emplace_back(step->begin, step->end);
  }
  DeviceUse use;
  use.source = "steps";
  const auto span = static_cast<double>(window.second - window.first);
  for (auto& [device, intervals] : held) {
    const Nanos busy = Length(Intersection(Union(std::move(intervals)), {window}));
    use.busy[device] = static_cast<double>(busy) / span;
  }
  return use;
}

// Mean of what the samples inside the window say, each for the time since the one before it.
std::optional<double> MeanBusy(const std::vector<record::Sample>& cpu, Interval window) {
  double busy = 0, time = 0;
  Nanos last = window.first;
  for (const record::Sample& sample : cpu) {
    if (sample.t <= window.first || sample.t > window.second) continue;
    const auto gap = static_cast<double>(sample.t - last);
    last = sample.t;
    if (!sample.value) continue;
    busy += *sample.value * gap;
    time += gap;
  }
  if (time <= 0) return std::nullopt;
  return busy / time;
}

}  // namespace

std::optional<Interval> Window(const RunFacts& facts) {
  std::optional<Interval> window;
  for (const TaskFacts& task : facts.tasks) {
    if (!task.start) continue;
    if (!task.end) return std::nullopt;
    if (!window) window = {*task.start, *task.end};
    window->first = std::min(window->first, *task.start);
    window->second = std::max(window->second, *task.end);
  }
  return window;
}

DeviceUse MeasureUse(const RunFacts& facts, const Plan& plan,
                     const std::vector<record::Sample>& cpu) {
  const auto window = Window(facts);
  if (!window || window->second <= window->first) return {{}, {}, "the run has no makespan"};
  if (!facts.steps.empty()) return FromSteps(facts, plan, *window);
  const auto busy = MeanBusy(cpu, *window);
  if (!busy) return {{}, {}, "the record has neither steps nor CPU samples of this run"};
  return {{{"cpu", *busy}}, "samples", {}};
}

}  // namespace cbench::report
