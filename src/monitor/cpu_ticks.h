// A "cpu" line of /proc/stat: clock ticks since the machine started, by what they went to.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cbench::monitor {

struct CpuTicks {
  std::uint64_t busy = 0, iowait = 0, steal = 0, total = 0;
};

// Nothing unless the line has a name and eight numbers (user nice system idle iowait irq softirq
// steal); guest time is in user and nice already.
std::optional<CpuTicks> ParseTicks(std::string_view line);

// What share of the ticks between two readings `part` had. Null without two different readings,
// and where the kernel's iowait, which may shrink, makes nonsense of it.
std::optional<double> Share(const std::optional<CpuTicks>& before,
                            const std::optional<CpuTicks>& after, std::uint64_t CpuTicks::* part);

}  // namespace cbench::monitor
