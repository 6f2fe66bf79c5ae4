// What this device is: the part of a record that lets someone else judge its figures.
#pragma once

#include "base/json.h"
#include "monitor/system.h"

namespace cbench::monitor {

// {"cpu", "cores", "memory_bytes", "kernel", "os", "governor"}; what cannot be read is null.
Json DeviceFacts(const Opener& open = OpenReal);

}  // namespace cbench::monitor
