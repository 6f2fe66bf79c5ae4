// The steps of a trace: who held a device, and what an app's own steps waited for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/facts.h"
#include "report/plan.h"
#include "report/trace/trace_file.h"

namespace cbench::report {

// A process a device.
void TraceDevices(const std::vector<RunFacts>& runs, const Plan& plan, TraceFile& file);

// By app, in order of time; those that no gate asked for an app are left out.
using StepsByApp = std::map<std::string, std::vector<const record::Step*>>;
StepsByApp SortByApp(const std::vector<RunFacts>& runs);

// In the app's process.
void TraceSteps(const std::vector<const record::Step*>& steps, int process, TraceFile& file);

}  // namespace cbench::report
