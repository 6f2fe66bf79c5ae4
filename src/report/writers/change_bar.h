// A change with its interval as a small picture, over the band in which a change counts as none.
#pragma once

#include <string>

#include "report/compare/comparison.h"

namespace cbench::report {

// How far the axis of a table goes to both sides of 0: to its widest interval, within 10 to 100 %.
double BarRange(const Pairing& pairing);

// An <svg>; empty of a metric without change. What is off the axis is drawn at its end.
std::string ChangeBar(const MetricChange& row, double range);

}  // namespace cbench::report
