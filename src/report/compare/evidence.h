// What is compared: one or several records of the same thing, their repetitions pooled by strategy.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/compare/chance.h"
#include "report/summary.h"

namespace cbench::report {

// One app in one repetition, its tasks together.
struct AppEvidence {
  std::string app, type;
  bool has_slo = false;
  int issued = 0, completed = 0, met = 0;
  double active_s = 0;                                 // time in which a task of it ran
  std::map<std::string, RepetitionSamples> latencies;  // by key latency; completed requests
};

struct RepetitionEvidence {
  std::string strategy;
  int repeat = 0;
  std::string record;  // its directory
  Verdict verdict;
  std::optional<double> makespan_s;
  std::vector<AppEvidence> apps;           // workflow order
  std::map<std::string, double> energy_j;  // by counter, over the makespan
};

// One side of a comparison.
struct Evidence {
  std::string label;                            // as the user named it
  std::vector<record::Header> headers;          // one a record
  std::vector<RepetitionEvidence> repetitions;  // in the order of the records
};

// Adds the runs of `record` in which all apps ran.
void AddRecord(const record::Record& record, Evidence& evidence);

// Strategies in order of appearance.
std::vector<std::string> StrategiesOf(const Evidence& evidence);

// What ran under `strategy` only.
Evidence OnlyStrategy(const Evidence& evidence, const std::string& strategy);

}  // namespace cbench::report
