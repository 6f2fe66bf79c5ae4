#include "monitor/device_facts.h"

#include <sstream>

#include "base/cores.h"

namespace cbench::monitor {
namespace {

// The value behind the first "key<spaces>: value" or "key=value" line; quotes are dropped.
Json Field(const std::optional<std::string>& text, std::string_view key, char separator) {
  std::istringstream lines(text.value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(separator);
    if (at == std::string::npos || !line.starts_with(key)) continue;
    const auto first = line.find_first_not_of(" \t\"", at + 1);
    const auto last = line.find_last_not_of(" \t\"");
    if (first == std::string::npos) return nullptr;
    return line.substr(first, last - first + 1);
  }
  return nullptr;
}

Json MemoryBytes(const std::optional<std::string>& meminfo) {
  const Json field = Field(meminfo, "MemTotal", ':');
  if (!field.is_string()) return nullptr;
  return std::strtoull(field.get<std::string>().c_str(), nullptr, 10) * 1024;
}

Json FirstLine(const std::optional<std::string>& text) {
  if (!text || text->empty()) return nullptr;
  return text->substr(0, text->find('\n'));
}

}  // namespace

Json DeviceFacts(const Opener& open) {
  Json facts = Json::object();
  facts["cpu"] = Field(open("/proc/cpuinfo"), "model name", ':');
  facts["cores"] = AllowedCores().size();
  facts["memory_bytes"] = MemoryBytes(open("/proc/meminfo"));
  facts["kernel"] = FirstLine(open("/proc/sys/kernel/osrelease"));
  facts["os"] = Field(open("/etc/os-release"), "PRETTY_NAME", '=');
  facts["governor"] = FirstLine(open("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
  return facts;
}

}  // namespace cbench::monitor
