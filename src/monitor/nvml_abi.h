// What we use of NVML's binary interface (nvml.h, "NVML API Reference"): it is stable by contract,
// functions with changed arguments get a new name. Declared here so that building needs no
// driver; NVML's own names are kept, without the prefix.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cbench::monitor::nvml {

using Return = int;
constexpr Return kSuccess = 0;
constexpr Return kInsufficientSize = 7;

struct DeviceOpaque;
using Device = DeviceOpaque*;
struct GpmSampleOpaque;
using GpmSample = GpmSampleOpaque*;

struct Utilization {
  unsigned gpu, memory;  // %
};
struct MemoryV2 {
  unsigned version;
  unsigned long long total, reserved, free, used;  // bytes
};
constexpr unsigned kMemoryV2 = sizeof(MemoryV2) | (2u << 24);

constexpr unsigned kClockSm = 1, kClockMemory = 2;
constexpr unsigned kTemperatureGpu = 0;

struct ProcessInfo {
  unsigned pid;
  unsigned long long used_gpu_memory;  // bytes; all ones: not known
  unsigned gpu_instance_id, compute_instance_id;
};

struct GpmSupport {
  unsigned version, is_supported_device;
};
struct GpmMetric {
  unsigned metric_id;
  Return status;
  double value;  // % or MiB/s
  const char *short_name, *long_name, *unit;
};
// nvml.h ends it in an array of every metric there is, 98 to 333 of them by the driver's version;
// only the first `count` are looked at. Room for all, should a driver clear them.
constexpr std::size_t kGpmMetricsRoom = 512;
struct GpmMetricsGet {
  unsigned version, count;
  GpmSample sample1, sample2;
  GpmMetric metrics[kGpmMetricsRoom];
};
constexpr unsigned kGpmVersion = 1;

// One member a function: name and type as they are used.
struct Functions {
  Return (*Init_v2)();
  const char* (*ErrorString)(Return);
  Return (*DeviceGetCount_v2)(unsigned*);
  Return (*DeviceGetHandleByIndex_v2)(unsigned, Device*);
  // Those below may be missing in an old library or fail on an old card.
  Return (*DeviceGetName)(Device, char*, unsigned);
  Return (*DeviceGetUtilizationRates)(Device, Utilization*);
  Return (*DeviceGetMemoryInfo_v2)(Device, MemoryV2*);
  Return (*DeviceGetPowerUsage)(Device, unsigned*);                        // mW
  Return (*DeviceGetTotalEnergyConsumption)(Device, unsigned long long*);  // mJ
  Return (*DeviceGetClockInfo)(Device, unsigned, unsigned*);               // MHz
  Return (*DeviceGetTemperature)(Device, unsigned, unsigned*);             // °C
  Return (*DeviceGetCurrentClocksThrottleReasons)(Device, unsigned long long*);
  Return (*DeviceGetComputeRunningProcesses_v3)(Device, unsigned*, ProcessInfo*);
  Return (*DeviceGetGraphicsRunningProcesses_v3)(Device, unsigned*, ProcessInfo*);
  Return (*GpmQueryDeviceSupport)(Device, GpmSupport*);
  Return (*GpmSampleAlloc)(GpmSample*);
  Return (*GpmSampleFree)(GpmSample);
  Return (*GpmSampleGet)(Device, GpmSample);
  Return (*GpmMetricsGet)(GpmMetricsGet*);
};

}  // namespace cbench::monitor::nvml
