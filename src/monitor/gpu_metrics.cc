#include "monitor/gpu_metrics.h"

#include <cstdint>

namespace cbench::monitor {
namespace {

// Where a value stands and what one of its units is of ours. 0 bytes: the format has none.
struct Field {
  std::size_t at = 0;
  int bytes = 0;
  double factor = 0;
};

struct Layout {
  std::size_t size;  // at least
  Field busy, memory_busy, power, temperature, clock, memory_clock, dram_read, dram_write;
};

constexpr Layout kCard = {
    68, {16, 2, 0.01}, {18, 2, 0.01}, {22, 2, 1}, {6, 2, 1}, {54, 2, 1e6}, {58, 2, 1e6}, {}, {}};
constexpr Layout kApu2 = {
    82, {28, 2, 1e-4}, {}, {40, 2, 1e-3}, {4, 2, 0.01}, {76, 2, 1e6}, {80, 2, 1e6}, {}, {}};
constexpr Layout kApu3 = {188,           {42, 2, 0.01}, {},           {112, 4, 1e-3}, {4, 2, 0.01},
                          {174, 2, 1e6}, {186, 2, 1e6}, {94, 2, 1e6}, {96, 2, 1e6}};

unsigned Byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

const Layout* LayoutOf(std::string_view bytes) {
  if (bytes.size() < 4) return nullptr;
  const unsigned format = Byte(bytes, 2), content = Byte(bytes, 3);
  const Layout* layout = format == 1 && content >= 1 && content <= 3 ? &kCard
                         : format == 2 && content == 4               ? &kApu2
                         : format == 3 && content == 0               ? &kApu3
                                                                     : nullptr;
  return layout && bytes.size() >= layout->size ? layout : nullptr;
}

// Little endian, as the processors are.
std::optional<double> Value(std::string_view bytes, const Field& field) {
  std::uint32_t value = 0, ones = 0;
  for (int i = 0; i < field.bytes; ++i) {
    value |= std::uint32_t{Byte(bytes, field.at + static_cast<std::size_t>(i))} << (8 * i);
    ones |= std::uint32_t{0xFF} << (8 * i);
  }
  if (value == ones) return std::nullopt;
  return value * field.factor;
}

}  // namespace

std::optional<GpuMetrics> ParseGpuMetrics(std::string_view bytes) {
  const Layout* layout = LayoutOf(bytes);
  if (!layout) return std::nullopt;
  const auto value = [bytes](const Field& field) { return Value(bytes, field); };
  return GpuMetrics{value(layout->busy),      value(layout->memory_busy),
                    value(layout->power),     value(layout->temperature),
                    value(layout->clock),     value(layout->memory_clock),
                    value(layout->dram_read), value(layout->dram_write)};
}

}  // namespace cbench::monitor
