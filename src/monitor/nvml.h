// NVIDIA's management library, as far as probes need it. It is looked for when a program starts
// to watch, never linked: cbench runs where there is no such card.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace cbench::monitor {

// One instant of a card; what its driver does not say is null.
struct NvmlReading {
  std::optional<double> busy;          // ratio of time in which any kernel ran, over the driver's
  std::optional<double> memory_busy;   // window (1/6 to 1 s); the same for memory transfers
  std::optional<double> memory_used;   // bytes, without what the driver keeps for itself
  std::optional<double> power;         // W
  std::optional<double> energy;        // J since the driver was loaded
  std::optional<double> sm_clock;      // Hz
  std::optional<double> memory_clock;  // Hz
  std::optional<double> temperature;   // °C
  std::optional<std::uint64_t> throttle;  // bits, see kNvmlThrottle…
};

// Why clocks are lowered: for power, for heat, by the board's own protection.
constexpr std::uint64_t kNvmlThrottlePower = 0x04 | 0x80;
constexpr std::uint64_t kNvmlThrottleHeat = 0x20 | 0x40;
constexpr std::uint64_t kNvmlThrottleHardware = 0x08;

struct NvmlProcess {
  int pid = 0;
  std::optional<double> memory;  // bytes
};

// Means over the time between two readings; ratios, PCIe in bytes/s.
struct GpmReading {
  std::optional<double> sm_active, sm_occupancy, tensor_active, dram_active, pcie_tx, pcie_rx;
};

class Nvml {
 public:
  virtual ~Nvml() = default;
  virtual int Count() const = 0;
  virtual std::string Name(int device) const = 0;
  virtual NvmlReading Read(int device) = 0;
  // Nothing if the driver does not say (inside some virtual machines).
  virtual std::optional<std::vector<NvmlProcess>> Processes(int device) = 0;
  virtual bool HasGpm(int device) = 0;
  // Since the call before; the first only starts. All null if it cannot be read.
  virtual GpmReading ReadGpm(int device) = 0;
};

// libnvidia-ml.so.1 of this machine. Errors say why it cannot be used.
Result<std::shared_ptr<Nvml>> OpenNvml();

// The same over a table of its functions: `symbol` gives the address of a name, or null.
using SymbolLookup = std::function<void*(const char* name)>;
Result<std::shared_ptr<Nvml>> UseNvml(const SymbolLookup& symbol);

}  // namespace cbench::monitor
