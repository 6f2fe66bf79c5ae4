#include "monitor/gpu_metrics.h"

#include <cstdint>

namespace cbench::monitor {
namespace {

constexpr std::size_t kLeast = 68;  // up to the current clocks

// Offsets in bytes, all of u16.
enum Offset {
  kHotSpot = 6,
  kGfxActivity = 16,
  kMemoryActivity = 18,
  kSocketPower = 22,
  kGfxClock = 54,
  kMemoryClock = 58,
};

unsigned Byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

std::optional<double> U16(std::string_view bytes, std::size_t at, double factor) {
  const unsigned value = Byte(bytes, at) | Byte(bytes, at + 1) << 8;
  if (value == 0xFFFF) return std::nullopt;
  return value * factor;
}

}  // namespace

std::optional<GpuMetrics> ParseGpuMetrics(std::string_view bytes) {
  if (bytes.size() < kLeast) return std::nullopt;
  const unsigned format = Byte(bytes, 2), content = Byte(bytes, 3);
  if (format != 1 || content < 1 || content > 3) return std::nullopt;
  return GpuMetrics{U16(bytes, kGfxActivity, 0.01), U16(bytes, kMemoryActivity, 0.01),
                    U16(bytes, kSocketPower, 1),    U16(bytes, kHotSpot, 1),
                    U16(bytes, kGfxClock, 1e6),     U16(bytes, kMemoryClock, 1e6)};
}

}  // namespace cbench::monitor
