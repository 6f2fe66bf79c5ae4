// What watching the device costs; the monitor's part of bench-overhead.
#pragma once

namespace cbench {

// Measures and prints; false if a figure falls short.
bool BenchMonitor();

// One BENCH line; true if 0 < value <= target.
bool PrintAtMost(const char* name, double value, const char* unit, double target);

}  // namespace cbench
