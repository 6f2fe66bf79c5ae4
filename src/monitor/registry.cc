// The probes there are, in the order in which doctor and documents list them. A new one is a file
// in probes/ and a line here.
#include "monitor/probe.h"

namespace cbench::monitor {

extern const ProbeDescriptor kCpuProbe, kCoresProbe, kFrequencyProbe, kMemoryProbe, kPagingProbe,
    kPressureProbe, kProcessProbe, kFootprintProbe, kRaplProbe, kThermalProbe, kHwmonProbe,
    kThrottleProbe, kDramProbe, kDiskProbe, kNetworkProbe, kCgroupProbe, kBatteryProbe,
    kNvidiaProbe, kNvidiaGpmProbe, kAmdProbe;

const std::vector<const ProbeDescriptor*>& Probes() {
  static const std::vector<const ProbeDescriptor*> probes = {
      &kCpuProbe,      &kCoresProbe,    &kFrequencyProbe, &kMemoryProbe,    &kPagingProbe,
      &kPressureProbe, &kProcessProbe,  &kFootprintProbe, &kRaplProbe,      &kThermalProbe,
      &kHwmonProbe,    &kThrottleProbe, &kDramProbe,      &kDiskProbe,      &kNetworkProbe,
      &kCgroupProbe,   &kBatteryProbe,  &kNvidiaProbe,    &kNvidiaGpmProbe, &kAmdProbe};
  return probes;
}

}  // namespace cbench::monitor
