#include "base/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace cbench {
namespace {

using Unit = std::pair<std::string_view, double>;

constexpr std::array<Unit, 7> kDurations = {
    {{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}}};
constexpr std::array<Unit, 7> kSizes = {{{"B", 1.0},
                                         {"kB", 1e3},
                                         {"MB", 1e6},
                                         {"GB", 1e9},
                                         {"KiB", 1024.0},
                                         {"MiB", 1048576.0},
                                         {"GiB", 1073741824.0}}};

// number, optional spaces, unit; the result must fit below `limit`.
template <std::size_t N>
std::optional<double> ParseQuantity(std::string_view text, const std::array<Unit, N>& units,
                                    double limit) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number) || number < 0) return std::nullopt;
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (unit.empty() && number == 0) return 0;
  for (const auto& [name, factor] : units) {
    if (unit == name && number * factor < limit) return number * factor;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Nanos> ParseDuration(std::string_view text) {
  const auto ns = ParseQuantity(text, kDurations, 9e18);
  if (!ns) return std::nullopt;
  return std::llround(*ns);
}

std::optional<std::uint64_t> ParseBytes(std::string_view text) {
  const auto bytes = ParseQuantity(text, kSizes, 1.8e19);
  if (!bytes) return std::nullopt;
  return static_cast<std::uint64_t>(*bytes);
}

std::optional<PixelSize> ParsePixelSize(std::string_view text) {
  PixelSize size;
  const char* end = text.data() + text.size();
  auto [middle, error] = std::from_chars(text.data(), end, size.width);
  if (error != std::errc() || middle == end || *middle != 'x') return std::nullopt;
  auto [last, error2] = std::from_chars(middle + 1, end, size.height);
  if (error2 != std::errc() || last != end || size.width <= 0 || size.height <= 0) {
    return std::nullopt;
  }
  return size;
}

std::string FormatDuration(Nanos t) {
  const double s = ToSeconds(t);
  if (t < kMillisecond) return fmt::format("{:.3g} us", s * 1e6);
  if (t < kSecond) return fmt::format("{:.3g} ms", s * 1e3);
  if (s < 100) return fmt::format("{:.3g} s", s);
  const auto seconds = std::llround(s);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

std::string FormatBytes(std::uint64_t bytes) {
  const auto b = static_cast<double>(bytes);
  if (b < 1024) return fmt::format("{} B", bytes);
  if (b < 1048576) return fmt::format("{:.3g} KiB", b / 1024);
  if (b < 1024.0 * 1048576) return fmt::format("{:.4g} MiB", b / 1048576);
  return fmt::format("{:.4g} GiB", b / 1073741824);
}

}  // namespace cbench
