#include "embedded/image_tiles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "embedded/mmdit_config.h"

namespace cbench::embedded {
namespace {

TEST(TileLatent, LeavesAnImageThatFitsWhole) {
  const auto tiles = TileLatent(64, 32, 64);
  ASSERT_EQ(tiles.size(), 1u);
  EXPECT_EQ(tiles[0].width, 64);
  EXPECT_EQ(tiles[0].height, 32);
}

TEST(TileLatent, CoversEverySizeWithEqualOverlappingTiles) {
  for (int width = 8; width <= 256; width += 2) {
    const auto tiles = TileLatent(width, 8, 64);
    int reached = 0;
    for (const Tile& tile : tiles) {
      ASSERT_EQ(tile.width, std::min(width, 64));
      if (tile.left > 0) {
        ASSERT_LE(tile.left, reached - kTileOverlap) << "width " << width;
      }
      reached = tile.left + tile.width;
    }
    ASSERT_EQ(reached, width);
  }
}

TEST(CropLatent, TakesThePartOfEveryPlane) {
  const std::vector<float> latent = {0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15};  // 2 of 3x2
  EXPECT_EQ(CropLatent(latent, 3, 2, {.left = 1, .top = 0, .width = 2, .height = 2}),
            (std::vector<float>{1, 2, 4, 5, 11, 12, 14, 15}));
}

std::vector<float> Flat(const Tile& tile, float value) {
  return std::vector<float>(static_cast<std::size_t>(3 * 64 * tile.width * tile.height), value);
}

TEST(Canvas, OneTileIsTakenAsItIs) {
  Canvas canvas(2, 2);
  const Tile tile{0, 0, 2, 2};
  std::vector<float> pixels = Flat(tile, 0.0f);
  pixels[0] = 1.0f;                                     // red of the first pixel
  pixels[256 + 1] = -1.0f;                              // green of the second
  pixels[512 + 2] = 7.0f;                               // blue of the third, beyond range
  pixels[3] = std::numeric_limits<float>::quiet_NaN();  // red of the fourth
  canvas.Add(tile, pixels);
  const RgbImage image = canvas.Finish();
  EXPECT_EQ(image.width, 16);
  const std::vector<std::uint8_t> start(image.pixels.begin(), image.pixels.begin() + 12);
  EXPECT_EQ(start,
            (std::vector<std::uint8_t>{255, 128, 128, 128, 0, 128, 128, 128, 255, 0, 128, 128}));
}

TEST(Canvas, BlendsFromOneTileToTheNext) {
  Canvas canvas(24, 16);
  for (const Tile& tile : TileLatent(24, 16, 16)) {
    canvas.Add(tile, Flat(tile, tile.left == 0 ? -1.0f : 1.0f));
  }
  const RgbImage image = canvas.Finish();
  const auto red = [&](int x) {
    return image.pixels[static_cast<std::size_t>(3 * (64 * 192 + x))];
  };
  EXPECT_EQ(red(0), 0);
  EXPECT_EQ(red(191), 255);
  for (int x = 1; x < 192; ++x) EXPECT_GE(red(x), red(x - 1));
  EXPECT_NEAR(red(96), 128, 3);
}

}  // namespace
}  // namespace cbench::embedded
