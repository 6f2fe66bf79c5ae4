// The processor cores that this process, and so what it starts, may run on.
#pragma once

#include <vector>

namespace cbench {

// Their numbers, ascending; fewer than the machine has under `taskset` or in a container. Never
// empty: where the kernel does not say, it is core 0 alone.
std::vector<int> AllowedCores();

}  // namespace cbench
