// The binary file `gpu_metrics` of AMD's driver (kernel, gpu_metrics_v* in kgd_pp_interface.h):
// a header {u16 size, u8 format, u8 content} and fields of a layout that depends on both.
#pragma once

#include <optional>
#include <string_view>

namespace cbench::monitor {

struct GpuMetrics {
  std::optional<double> busy, memory_busy;      // ratio
  std::optional<double> power;                  // W
  std::optional<double> temperature;            // °C, the hottest spot
  std::optional<double> clock;                  // Hz, of the shaders
  std::optional<double> memory_clock;           // Hz
  std::optional<double> dram_read, dram_write;  // bytes/s, of the whole machine; APUs only
};

// Formats 1.1 to 1.3 (graphics cards up to RDNA 3), 2.4 and 3.0 (processors with graphics, whose
// power is that of the whole processor). Nothing for others: guessing a layout or a unit would make
// numbers up. Fields of all ones are not measured: null.
std::optional<GpuMetrics> ParseGpuMetrics(std::string_view bytes);

}  // namespace cbench::monitor
