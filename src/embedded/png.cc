#include "embedded/png.h"

#include <png.h>

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

}  // namespace cbench::embedded
