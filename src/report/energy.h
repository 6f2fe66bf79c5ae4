// Energy over a run, from the counters that the monitor read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/reader.h"
#include "report/intervals.h"

namespace cbench::report {

// For each window (absent: an empty answer) the joules of each counter that counts a whole device:
// rapl's zones that are no part of another one (psys, a sum, is left out), NVIDIA's cards. It
// is the difference of the last and the first value inside the window, idle power included, so it
// lacks up to one period of the probe at each end. A counter with fewer than two values there, or
// one that ran backwards, is left out; so is everything if samples.jsonl cannot be read.
std::vector<std::map<std::string, double>> MeasureEnergy(
    const record::Record& record, const std::vector<std::optional<Interval>>& windows);

}  // namespace cbench::report
