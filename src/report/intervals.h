// Sets of points in time as sorted, disjoint half-open intervals [begin, end).
#pragma once

#include <utility>
#include <vector>

#include "base/clock.h"

namespace cbench::report {

using Interval = std::pair<Nanos, Nanos>;
using Intervals = std::vector<Interval>;

// The points in at least one of `intervals`, which may overlap, be empty and stand in any order.
Intervals Union(Intervals intervals);

// The points in both; a and b as Union makes them.
Intervals Intersection(const Intervals& a, const Intervals& b);

Nanos Length(const Intervals& intervals);

}  // namespace cbench::report
