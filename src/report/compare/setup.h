// What differs in set-up between things that are compared: a change may come from there.
#pragma once

#include <string>
#include <vector>

#include "report/compare/evidence.h"

namespace cbench::report {

// One sentence a difference, of every record against the first one of its side and of every side's
// first record against the first side's. Scenario (strategies and repetitions aside), engines,
// models, device, seed, cbench version. At most kMostDifferences; then one says how many more.
constexpr std::size_t kMostDifferences = 20;
std::vector<std::string> SetupDifferences(const std::vector<Evidence>& sides);

}  // namespace cbench::report
