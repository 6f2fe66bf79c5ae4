// What probes see of the machine, each part replaceable: in tests the text of /proc and sysfs is a
// string, a counter of the kernel's perf interface and NVIDIA's library are fakes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace cbench::monitor {

class Nvml;

// Gives a file's text, or nothing if it cannot be read.
using Opener = std::function<std::optional<std::string>(const std::string& path)>;
std::optional<std::string> OpenReal(const std::string& path);

// The names in a directory, in order (numbers by value: zone2 before zone10); none if unreadable.
using Lister = std::function<std::vector<std::string>(const std::string& path)>;
std::vector<std::string> ListReal(const std::string& path);

// A hardware counter that counts for a whole CPU or memory controller (perf_event_open(2)).
class PerfCounter {
 public:
  virtual ~PerfCounter() = default;
  // What was counted since it was opened; nothing if it cannot be read or did not count all the
  // time (the kernel would want us to scale the figure up; that is an estimate).
  virtual std::optional<std::uint64_t> Read() = 0;
};
struct PerfEvent {
  std::uint32_t type = 0;  // /sys/bus/event_source/devices/NAME/type
  std::uint64_t config = 0;
  int cpu = 0;
};
using PerfOpener = std::function<Result<std::unique_ptr<PerfCounter>>(const PerfEvent&)>;
Result<std::unique_ptr<PerfCounter>> OpenPerfReal(const PerfEvent& event);

// A process that is watched together with its descendants.
struct WatchedProcess {
  std::string name;  // of the engine; becomes part of the series' names
  int pid = 0;
};

struct System {
  Opener open;
  Lister list;
  PerfOpener perf;
  std::function<Result<std::shared_ptr<Nvml>>()> nvml;  // errors: why there is none
  std::vector<WatchedProcess> processes = {};
  int page_bytes = 4096, ticks_per_second = 100;
};
System RealSystem(std::vector<WatchedProcess> processes = {});

}  // namespace cbench::monitor
