#include "embedded/png.h"

#include <gtest/gtest.h>
#include <png.h>

namespace cbench::embedded {
namespace {

TEST(EncodePng, IsReadBackUnchanged) {
  RgbImage image{5, 3, {}};
  for (int i = 0; i < 45; ++i) image.pixels.push_back(static_cast<std::uint8_t>(i * 5));
  const auto png = EncodePng(image);
  ASSERT_TRUE(png) << png.error().message;
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_memory(&header, png->data(), png->size()));
  EXPECT_EQ(header.width, 5u);
  EXPECT_EQ(header.height, 3u);
  header.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(45);
  ASSERT_TRUE(png_image_finish_read(&header, nullptr, pixels.data(), 0, nullptr));
  EXPECT_EQ(pixels, image.pixels);
}

TEST(EncodePng, RefusesAnEmptyImage) { EXPECT_FALSE(EncodePng({})); }

}  // namespace
}  // namespace cbench::embedded
