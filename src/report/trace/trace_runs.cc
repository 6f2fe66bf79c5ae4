#include "report/trace/trace_runs.h"

#include <algorithm>
#include <map>

namespace cbench::report {
namespace {

// From each state of an engine to its next one.
class Engines {
 public:
  Engines(TraceFile& file, int process) : file_(file), process_(process) {}

  void Add(Nanos t, const record::EngineEvent& event) {
    const auto [place, is_new] = lives_.try_emplace(event.engine);
    Life& life = place->second;
    if (is_new) life.track = file_.AddTrack(process_, "engine " + event.engine);
    t = is_new ? t : std::max(t, life.since);
    EndState(life, t);
    life.since = t;
    life.state = event.state == "stopped" || event.state == "crashed" ? "" : event.state;
    if (event.state == "crashed") file_.Instant(life.track, "crashed: " + event.detail, t);
  }

  void Finish(Nanos t) {
    for (auto& [name, life] : lives_) EndState(life, t);
  }

 private:
  struct Life {
    Track track;
    std::string state;  // empty: it is not there
    Nanos since = 0;
  };

  void EndState(const Life& life, Nanos t) {
    if (!life.state.empty()) file_.Slice(life.track, life.state, life.since, t);
  }

  TraceFile& file_;
  const int process_;
  std::map<std::string, Life> lives_;
};

void TraceEngines(const record::Record& record, int process, TraceFile& file) {
  Engines engines(file, process);
  Nanos last = 0;
  for (const record::Event& event : record.events) {
    last = std::max(last, event.t);
    const auto* engine = std::get_if<record::EngineEvent>(&event.body);
    if (engine) engines.Add(event.t, *engine);
  }
  engines.Finish(last);
}

void TraceErrors(const record::Record& record, Track track, TraceFile& file) {
  for (const record::Event& event : record.events) {
    const auto* error = std::get_if<record::ErrorEvent>(&event.body);
    if (error) file.Instant(track, "error: " + error->where + ": " + error->message, event.t);
  }
}

// They are, unless somebody wrote the record by hand.
std::vector<const RunFacts*> InOrderOfTime(const std::vector<RunFacts>& runs) {
  std::vector<const RunFacts*> sorted;
  for (const RunFacts& run : runs) sorted.push_back(&run);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->start < b->start; });
  return sorted;
}

}  // namespace

std::string TraceTitle(const RunFacts& run) {
  const std::string which = run.alone.empty() ? run.strategy : run.alone + " alone";
  return run.repeat == 0 ? which : fmt::format("{}, repetition {}", which, run.repeat + 1);
}

void TraceRuns(const record::Record& record, const std::vector<RunFacts>& runs, TraceFile& file) {
  const int process = file.AddProcess("cbench");
  LanedTrack tracks(file, process, "runs");
  for (const RunFacts* run : InOrderOfTime(runs)) {
    const Track track = tracks.Take(run->start, run->end);
    file.Slice(track, TraceTitle(*run), run->start, run->end, {{"status", run->status}});
  }
  TraceErrors(record, file.AddTrack(process, "errors"), file);
  TraceEngines(record, process, file);
}

}  // namespace cbench::report
