#include "monitor/cpu_ticks.h"

#include <array>

#include "monitor/fields.h"

namespace cbench::monitor {

std::optional<CpuTicks> ParseTicks(std::string_view line) {
  const auto words = Words(line);
  std::array<std::uint64_t, 8> fields{};  // user nice system idle iowait irq softirq steal
  if (words.size() <= fields.size() || !words[0].starts_with("cpu")) return std::nullopt;
  CpuTicks ticks;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto value = Unsigned(words[i + 1]);
    if (!value) return std::nullopt;
    fields[i] = *value;
    ticks.total += *value;
  }
  ticks.iowait = fields[4];
  ticks.steal = fields[7];
  ticks.busy = ticks.total - fields[3] - fields[4];
  return ticks;
}

std::optional<double> Share(const std::optional<CpuTicks>& before,
                            const std::optional<CpuTicks>& after, std::uint64_t CpuTicks::* part) {
  if (!before || !after || after->total <= before->total) return std::nullopt;
  const std::uint64_t first = (*before).*part, last = (*after).*part;
  const std::uint64_t total = after->total - before->total;
  if (last < first || last - first > total) return std::nullopt;
  return static_cast<double>(last - first) / static_cast<double>(total);
}

}  // namespace cbench::monitor
