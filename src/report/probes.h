// What became of each of the monitor's probes.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "record/reader.h"

namespace cbench::report {

struct ProbeState {
  std::string name;
  std::string state;   // present, absent, dropped
  Nanos period = 0;    // between two readings; 0: not known
  std::string detail;  // why it is absent, was dropped or is read more rarely; else empty
};

// Each one's last state, in order of name. Empty of a record before minor 2.
std::vector<ProbeState> ProbeStates(const record::Record& record);

// "rapl absent: …" of each that is not present.
std::vector<std::string> MissingProbes(const std::vector<ProbeState>& probes);

Json ToJson(const ProbeState& probe);

}  // namespace cbench::report
