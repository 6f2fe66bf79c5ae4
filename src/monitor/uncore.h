// Events of a memory controller as the kernel describes them below
// /sys/bus/event_source/devices/PMU (ABI/testing/sysfs-bus-event_source-devices-*): `type`,
// `cpumask` (which CPUs read the sockets' controllers), `events/NAME` ("event=0x04,umask=0x03"),
// its `.scale` and `.unit`, and `format/TERM` ("config:8-15"), the bits that a term goes to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/system.h"

namespace cbench::monitor {

struct UncoreEvent {
  std::vector<PerfEvent> events;  // one a CPU of the mask
  double bytes = 0;               // that a count of 1 stands for
};

// The first of `names` that the PMU has; nothing if it has none, or describes it in a way that we
// do not understand.
std::optional<UncoreEvent> FindUncoreEvent(const System& system, const std::string& pmu,
                                           const std::vector<std::string_view>& names);

// "0,28" or "0-3,8".
std::vector<int> ParseCpuList(std::string_view text);

}  // namespace cbench::monitor
