// PNG in memory, by libpng.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace cbench::embedded {

struct RgbImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;  // red, green, blue; rows from the top
};

Result<std::string> EncodePng(const RgbImage& image);

}  // namespace cbench::embedded
