// Many numbers as few characters of JSON: whole ones, each but the first as its difference from
// the one before, or a single number where all are the same. docs/report.md describes them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/json.h"

namespace cbench::report {

using Column = std::vector<std::int64_t>;

// Differences: [100, 105, 103] -> [100, 5, -2].
Json DeltaJson(const Column& column);

// As they are; one number if the column has values and all are the same.
Json PlainJson(const Column& column);

}  // namespace cbench::report
