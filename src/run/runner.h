// Scenario in, record out: for each strategy and repetition, start the engines, start the clock,
// execute the workflow, stop the engines. Everything is in the record as it happens; a failure on
// the way ends the run early and is in the record too.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "run/observer.h"
#include "scenario/scenario.h"

namespace cbench::run {

struct RunOptions {
  std::filesystem::path parent = "runs";  // the record's folder is made below it…
  std::filesystem::path directory;        // …unless named here
  std::vector<std::string> command;       // argv, for run.json
  std::string cbench_version;
  double sample_rate = 20;     // Hz, of the monitor
  std::function<int()> stops;  // how often this process was stopped (Ctrl-Z) so far; may be empty
};

// Returns the record's directory, also of a run that was cancelled or failed after the record was
// made; an error means there is no record (bad input, missing model or data file, disk).
Result<std::filesystem::path> Execute(const scenario::Scenario& scenario, const RunOptions& options,
                                      Observer& observer, const Cancel& cancel);

}  // namespace cbench::run
