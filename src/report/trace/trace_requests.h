// The processes of a trace that are apps: tasks, requests and their phases, steps.
#pragma once

#include <vector>

#include "report/facts.h"
#include "report/plan.h"
#include "report/trace/trace_file.h"

namespace cbench::report {

// In the order of the workflow.
void TraceApps(const std::vector<RunFacts>& runs, const Plan& plan, TraceFile& file);

}  // namespace cbench::report
