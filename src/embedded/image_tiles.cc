#include "embedded/image_tiles.h"

#include <algorithm>
#include <cmath>

#include "embedded/mmdit_config.h"

namespace cbench::embedded {
namespace {

constexpr int kRamp = kTileOverlap * kPixelsPerLatent;

std::vector<int> Starts(int length, int side) {
  if (length <= side) return {0};
  const int stride = side - kTileOverlap;
  const int gaps = (length - side + stride - 1) / stride;
  std::vector<int> starts;
  for (int i = 0; i <= gaps; ++i) starts.push_back((length - side) * i / gaps);
  return starts;
}

// How much a tile's pixel counts, by its distance from the tile's edges along one axis.
float EdgeWeight(int at, int length) {
  return static_cast<float>(std::min({at + 1, length - at, kRamp}));
}

std::uint8_t ToByte(float value) {
  if (!std::isfinite(value)) return 0;
  return static_cast<std::uint8_t>(
      std::lround(std::clamp(value * 0.5f + 0.5f, 0.0f, 1.0f) * 255.0f));
}

}  // namespace

std::vector<Tile> TileLatent(int width, int height, int side) {
  std::vector<Tile> tiles;
  for (const int top : Starts(height, side)) {
    for (const int left : Starts(width, side)) {
      tiles.push_back({left, top, std::min(width, side), std::min(height, side)});
    }
  }
  return tiles;
}

std::vector<float> CropLatent(const std::vector<float>& latent, int width, int height,
                              const Tile& tile) {
  const auto plane = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<float> out;
  for (std::size_t start = 0; start < latent.size(); start += plane) {
    for (int row = tile.top; row < tile.top + tile.height; ++row) {
      const float* from = &latent[start + static_cast<std::size_t>(row * width + tile.left)];
      out.insert(out.end(), from, from + tile.width);
    }
  }
  return out;
}

Canvas::Canvas(int width, int height)
    : width_(width * kPixelsPerLatent), height_(height * kPixelsPerLatent) {
  const auto pixels = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  sums_.resize(3 * pixels);
  weight_.resize(pixels);
}

void Canvas::Add(const Tile& tile, std::span<const float> pixels) {
  const int wide = tile.width * kPixelsPerLatent, high = tile.height * kPixelsPerLatent;
  const int left = tile.left * kPixelsPerLatent, top = tile.top * kPixelsPerLatent;
  const std::size_t plane = weight_.size();
  const auto tile_plane = static_cast<std::size_t>(wide) * static_cast<std::size_t>(high);
  for (int y = 0; y < high; ++y) {
    for (int x = 0; x < wide; ++x) {
      const float weight = EdgeWeight(x, wide) * EdgeWeight(y, high);
      const auto to = static_cast<std::size_t>((top + y) * width_ + left + x);
      const auto from = static_cast<std::size_t>(y * wide + x);
      weight_[to] += weight;
      for (std::size_t c = 0; c < 3; ++c) {
        sums_[c * plane + to] += weight * pixels[c * tile_plane + from];
      }
    }
  }
}

RgbImage Canvas::Finish() const {
  RgbImage image{width_, height_, {}};
  image.pixels.reserve(sums_.size());
  for (std::size_t i = 0; i < weight_.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      image.pixels.push_back(ToByte(sums_[c * weight_.size() + i] / weight_[i]));
    }
  }
  return image;
}

}  // namespace cbench::embedded
