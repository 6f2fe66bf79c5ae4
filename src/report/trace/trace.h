// trace.json.gz: the record as a trace that Perfetto and chrome://tracing open; docs/trace.md. The
// page shows one run and draws few of many steps; a trace holds all of everything.
//
//   process    tracks
//   cbench     runs, a slice each; each engine's life; errors as instants
//   DEVICE     who held it: steps, on as many tracks as ran at once
//   APP        its tasks; their requests with their phases; its steps with their waits for the gate
//   PROBE      its counters
//
// Beside the record, which is in memory, little is held: events are written as they are made.
#pragma once

#include "base/result.h"
#include "record/reader.h"

namespace cbench::report {

inline constexpr char kTraceName[] = "trace.json.gz";

// Into the record's directory, atomically. A samples.jsonl that breaks off ends the counters there.
Result<> WriteTrace(const record::Record& record);

}  // namespace cbench::report
