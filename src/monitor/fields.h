// Reading the text of /proc and sysfs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace cbench::monitor {

std::string_view Trim(std::string_view text);

// The whole text as one number; white space around it does not matter.
std::optional<double> Number(std::string_view text);
std::optional<double> Number(const std::optional<std::string>& text);

// 0x hexadecimal or decimal.
std::optional<std::uint64_t> Unsigned(std::string_view text);

// Without the empty ones.
std::vector<std::string_view> Words(std::string_view line);
std::vector<std::string_view> Lines(std::string_view text);

// The first number behind `key`, which begins a line: Field(meminfo, "MemAvailable:").
std::optional<double> Field(std::string_view text, std::string_view key);

std::optional<double> Scaled(std::optional<double> value, double factor);

// Turns a counter that only grows into a rate.
class Rate {
 public:
  // Increase per second since the call before; null at the first, where either value is missing
  // and where the counter went backwards (something was reset).
  std::optional<double> PerSecond(Nanos now, std::optional<double> counter);

 private:
  Nanos t_ = 0;
  std::optional<double> last_;
};

}  // namespace cbench::monitor
