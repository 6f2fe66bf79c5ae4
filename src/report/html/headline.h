// The sentence above a report: what met its SLOs, what missed them, how long it took.
#pragma once

#include <string>

#include "report/summary.h"

namespace cbench::report {

// Plain text with foreign names in it.
std::string Headline(const Summary& summary);

// Of a record of `cbench monitor`, which lasted so long.
std::string MonitorHeadline(const Summary& summary, double length_s);

}  // namespace cbench::report
