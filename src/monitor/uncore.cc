#include "monitor/uncore.h"

#include <algorithm>

#include "monitor/fields.h"

namespace cbench::monitor {
namespace {

std::vector<std::string_view> SplitAt(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// Puts `value` into the bits named by a format like "config:8-15" or "config:18".
bool Place(std::string_view format, std::uint64_t value, std::uint64_t& config) {
  constexpr std::string_view kConfig = "config:";
  format = Trim(format);
  if (!format.starts_with(kConfig)) return false;
  const auto bits = ParseCpuList(format.substr(kConfig.size()));
  if (bits.empty() || bits.back() > 63) return false;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (i < 64 && ((value >> i) & 1) != 0) config |= std::uint64_t{1} << bits[i];
  }
  return true;
}

std::optional<std::uint64_t> ParseConfig(const System& system, const std::string& pmu,
                                         std::string_view event) {
  std::uint64_t config = 0;
  for (const auto term : SplitAt(Trim(event), ',')) {
    const auto equals = term.find('=');
    const auto value = equals == term.npos ? 1 : Unsigned(term.substr(equals + 1));
    const auto format = system.open(fmt::format("{}/format/{}", pmu, term.substr(0, equals)));
    if (!value || !format || !Place(*format, *value, config)) return std::nullopt;
  }
  return config;
}

double BytesOf(std::string_view unit) {
  unit = Trim(unit);
  return unit == "MiB" ? 1048576 : unit == "KiB" ? 1024 : unit == "Bytes" || unit == "B" ? 1 : 0;
}

}  // namespace

std::vector<int> ParseCpuList(std::string_view text) {
  std::vector<int> cpus;
  for (const auto range : SplitAt(Trim(text), ',')) {
    const auto dash = range.find('-');
    const auto first = Unsigned(range.substr(0, dash));
    const auto last = dash == range.npos ? first : Unsigned(range.substr(dash + 1));
    if (!first || !last || *last > 65535) return {};
    for (auto cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

std::optional<UncoreEvent> FindUncoreEvent(const System& system, const std::string& pmu,
                                           const std::vector<std::string_view>& names) {
  const auto type = Unsigned(system.open(pmu + "/type").value_or(""));
  const auto cpus = ParseCpuList(system.open(pmu + "/cpumask").value_or(""));
  for (const auto name : names) {
    const std::string path = fmt::format("{}/events/{}", pmu, name);
    const auto text = system.open(path);
    if (!text) continue;
    const auto config = ParseConfig(system, pmu, *text);
    const auto scale = Number(system.open(path + ".scale"));
    const double unit = BytesOf(system.open(path + ".unit").value_or(""));
    if (!type || !config || !scale || unit <= 0 || cpus.empty()) return std::nullopt;
    UncoreEvent event{{}, *scale * unit};
    for (const int cpu : cpus)
      event.events.push_back({static_cast<std::uint32_t>(*type), *config, cpu});
    return event;
  }
  return std::nullopt;
}

}  // namespace cbench::monitor
