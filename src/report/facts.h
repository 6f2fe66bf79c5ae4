// The record's flat list of events, sorted by run, task and request. No arithmetic yet.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/reader.h"
#include "report/plan.h"

namespace cbench::report {

struct RequestFacts {
  std::string kind;
  const record::RequestDone* done = nullptr;  // in the record; null: its end is missing
  Nanos sched = 0;                            // when it was to start; 0: unknown

  bool IsCompleted() const { return done && !done->failure; }
};

struct TaskFacts {
  PlannedTask plan;
  std::string state = "not started", detail;
  std::optional<Nanos> start, end;
  std::vector<RequestFacts> requests;  // as issued
};

struct RunFacts {
  std::string strategy, status = "interrupted";
  int repeat = 0;
  std::string alone;             // the only app that ran; empty: all did
  Nanos start = 0, end = 0;      // end: of its last event, where nobody said that it ended
  std::vector<TaskFacts> tasks;  // workflow order; tasks that nobody planned come last
  std::vector<const record::Step*> steps;  // in the record
  std::vector<std::string> crashes;        // "engine: detail"
  std::vector<std::string> errors;         // "where: message"
};

// What stands before the first run (engines starting, warm-up) belongs to none and is left out.
// The result points into `record`.
std::vector<RunFacts> CollectRuns(const record::Record& record, const Plan& plan);

}  // namespace cbench::report
