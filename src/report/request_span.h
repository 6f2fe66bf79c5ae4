// When a request was waited for, for pictures: the phases of one, and what became of it.
#pragma once

#include "report/facts.h"
#include "report/plan.h"

namespace cbench::report {

// The numbers are those of the page's data, docs/report.md. kDone: its app has no SLO.
enum Outcome { kDone, kMet, kMissed, kFailed, kUnfinished, kOutcomes };

Outcome OutcomeOf(const RequestFacts& request, const PlannedApp& app);

// asked ≤ begin ≤ first ≤ end, whatever the record says.
struct RequestSpan {
  Nanos asked = 0;  // when it was to start; 0: nobody knows when it was
  Nanos begin = 0;  // when it was sent
  Nanos first = 0;  // its first output; 0: none
  Nanos end = 0;
};

// A stamp that did not happen is taken from the one before; time never runs backwards in a bar.
// A request whose end is missing goes on until its run does.
RequestSpan SpanOf(const RequestFacts& request, Nanos run_end);

}  // namespace cbench::report
