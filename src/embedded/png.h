// PNG in memory, by libpng, and base64 for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cbench::embedded {

struct RgbImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  // red, green, blue; rows from the top
};

Result<std::string> EncodePng(const RgbImage& image);

// RFC 4648, with padding: how an image travels in JSON.
std::string Base64(std::string_view bytes);

}  // namespace cbench::embedded
