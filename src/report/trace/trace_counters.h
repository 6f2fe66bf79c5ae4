// The monitor's probes as counters of a trace.
#pragma once

#include "record/reader.h"
#include "report/trace/trace_file.h"

namespace cbench::report {

// A process a probe; every value of every series, however many. The file is read once and not held.
void TraceCounters(const record::Record& record, TraceFile& file);

}  // namespace cbench::report
