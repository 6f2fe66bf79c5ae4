// Cutting a latent into overlapping tiles for the VAE, whose memory grows with the pixels decoded
// at once, and blending the decoded tiles into one picture.
//
// All tiles have one size, so one graph serves them. Where tiles overlap, a pixel is the mean of
// both weighted by its distance from each tile's edge, which hides the seams.
#pragma once

#include <span>
#include <vector>

#include "embedded/png.h"

namespace cbench::embedded {

struct Tile {  // in latents
  int left = 0, top = 0, width = 0, height = 0;
};

inline constexpr int kTileOverlap = 8;  // latents shared by neighbours, at least

// `side` bounds a tile's width and height; it must exceed kTileOverlap.
std::vector<Tile> TileLatent(int width, int height, int side);

// The tile's part of latent planes [channels][height][width].
std::vector<float> CropLatent(const std::vector<float>& latent, int width, int height,
                              const Tile& tile);

// Collects decoded tiles; sizes in latents, pixels -1 to 1.
class Canvas {
 public:
  Canvas(int width, int height);
  void Add(const Tile& tile, std::span<const float> pixels);  // planes [3][8h][8w]
  RgbImage Finish() const;                                    // clamps; not a number becomes 0

 private:
  int width_, height_;         // pixels
  std::vector<float> sums_;    // [3][height][width]
  std::vector<float> weight_;  // [height][width]
};

}  // namespace cbench::embedded
