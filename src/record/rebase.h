// Moves an event from CLOCK_MONOTONIC to the record's clock.
#pragma once

#include "record/event.h"

namespace cbench::record {

// Subtracts `base` from the event's time and from every stamp that happened. A stamp exactly at
// the base becomes 1 ns, because 0 means "did not happen".
Event Rebase(Event event, Nanos base);

}  // namespace cbench::record
