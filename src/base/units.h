// Quantities as people write them: "250ms", "1.5s", "2GiB", "1024x768".
// The parsers return nothing for text that is not exactly one quantity; callers know where it
// stood and say so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace cbench {

std::optional<Nanos> ParseDuration(std::string_view text);  // ns us ms s m h; "0" alone is fine
std::optional<std::uint64_t> ParseBytes(std::string_view text);  // B kB MB GB KiB MiB GiB
struct PixelSize {
  int width = 0, height = 0;
};
std::optional<PixelSize> ParsePixelSize(std::string_view text);

std::string FormatDuration(Nanos t);           // "250 ms", "1.25 s", "3 min 20 s"
std::string FormatBytes(std::uint64_t bytes);  // "735 MiB"

}  // namespace cbench
