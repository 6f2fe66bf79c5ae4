// The probes there are. A new one is a file in probes/ and a line here.
#include "monitor/probe.h"

namespace cbench::monitor {

extern const ProbeDescriptor kCpuProbe, kMemoryProbe, kPressureProbe;

const std::vector<const ProbeDescriptor*>& Probes() {
  static const std::vector<const ProbeDescriptor*> probes = {&kCpuProbe, &kMemoryProbe,
                                                             &kPressureProbe};
  return probes;
}

}  // namespace cbench::monitor
