// Load shapes of apps that ask one thing after another: closed (the next begins when the last has
// ended) or open (arrivals by the clock, whether earlier ones have ended or not).
#pragma once

#include <functional>

#include "app/app.h"

namespace cbench::app {

// Calls `serve(n, t_sched)` for n = 0 … count − 1 until the run is cancelled: on the caller's
// thread if app.every is 0, else each at start + n · every on a thread of a pool, overlapping where
// they must. Returns when all have returned.
void ServeArrivals(const Context& context, int count,
                   const std::function<void(int n, Nanos t_sched)>& serve);

}  // namespace cbench::app
