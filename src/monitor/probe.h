// A probe reads one kind of counter of the device. Probes take the opener that reads files, so
// that the text of /proc and sysfs is a string in tests. What a device lacks is listed with its
// reason by `cbench doctor` and null in a record, never 0.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "monitor/device_facts.h"
#include "record/event.h"

namespace cbench::monitor {

class Probe {
 public:
  virtual ~Probe() = default;
  // Appends this instant's values to `samples`; a value that cannot be read is null.
  virtual void Read(Nanos now, std::vector<record::Sample>& samples) = 0;
};

// A probe plug-in: one descriptor a file in probes/, listed in registry.cc.
struct ProbeDescriptor {
  const char* name;
  const char* summary;
  Result<> (*available)();
  std::unique_ptr<Probe> (*make)(Opener open);
};
const std::vector<const ProbeDescriptor*>& Probes();

}  // namespace cbench::monitor
