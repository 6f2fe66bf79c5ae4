#include "embedded/png.h"

#include <png.h>

#include <algorithm>

namespace cbench::embedded {

Result<std::string> EncodePng(const RgbImage& image) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  header.flags = PNG_IMAGE_FLAG_FAST;  // random images do not compress; do not try hard
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string out(size, '\0');
  if (!png_image_write_to_memory(&header, out.data(), &size, 0, image.pixels.data(), 0, nullptr)) {
    return Failure("could not write a {}x{} PNG: {}", image.width, image.height, header.message);
  }
  out.resize(size);
  return out;
}

std::string Base64(std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;  // three bytes are four digits
    for (std::size_t k = i; k < i + 3; ++k) {
      group = group << 8 | (k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u);
    }
    const std::size_t digits = std::min<std::size_t>(bytes.size() - i, 3) + 1;
    for (std::size_t k = 0; k < 4; ++k) {
      out += k < digits ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return out;
}

}  // namespace cbench::embedded
