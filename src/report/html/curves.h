// The monitor's series of one run as curves that fit into the page.
#pragma once

#include "base/json.h"
#include "report/timeline.h"

namespace cbench::report {

// Points that all curves of a page may have together, and the limits of what one gets of them.
inline constexpr std::size_t kMostCurvePoints = 45'000, kMostPoints = 600, kFewestPoints = 40;

// False for what nobody looks at in a picture: single cores, threads, what the monitor itself
// costs.
bool IsDrawn(const Series& series);

// Curves that are drawn, each with its extremes over all values. A value is an integer times
// "scale"; null is a gap.
Json CurvesJson(const Timeline& timeline);

}  // namespace cbench::report
