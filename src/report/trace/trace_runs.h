// The process "cbench" of a trace: runs, the life of engines, errors.
#pragma once

#include <string>
#include <vector>

#include "report/facts.h"
#include "report/trace/trace_file.h"

namespace cbench::report {

// "credit, repetition 2", "chat alone".
std::string TraceTitle(const RunFacts& run);

void TraceRuns(const record::Record& record, const std::vector<RunFacts>& runs, TraceFile& file);

}  // namespace cbench::report
