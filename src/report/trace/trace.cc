#include "report/trace/trace.h"

#include <algorithm>

#include "report/trace/trace_counters.h"
#include "report/trace/trace_file.h"
#include "report/trace/trace_requests.h"
#include "report/trace/trace_runs.h"
#include "report/trace/trace_steps.h"

namespace cbench::report {
namespace {

// Perfetto takes no times before 0, and engines start before the record's clock does.
Nanos Origin(const record::Record& record) {
  Nanos origin = 0;
  for (const record::Event& event : record.events) origin = std::min(origin, event.t);
  return origin;
}

}  // namespace

Result<> WriteTrace(const record::Record& record) {
  const Plan plan = ReadPlan(record.header);
  const std::vector<RunFacts> runs = CollectRuns(record, plan);
  TraceFile file(record.directory / kTraceName, Origin(record));
  TraceRuns(record, runs, file);
  TraceDevices(runs, plan, file);
  TraceApps(runs, plan, file);
  TraceCounters(record, file);
  return file.Finish();
}

}  // namespace cbench::report
