#include "embedded/image_latent.h"

#include <cmath>
#include <numbers>
#include <random>

namespace cbench::embedded {
namespace {

// Calls visit(token, y, x, channel, latent index) for every latent value.
template <typename Visit>
void VisitPatches(const MmditDims& dims, int width, int height, Visit visit) {
  const int wide = width / dims.patch;
  for (int channel = 0; channel < dims.latent_channels; ++channel) {
    for (int row = 0; row < height; ++row) {
      for (int column = 0; column < width; ++column) {
        const int token = row / dims.patch * wide + column / dims.patch;
        visit(static_cast<std::size_t>(token), row % dims.patch, column % dims.patch, channel,
              static_cast<std::size_t>((channel * height + row) * width + column));
      }
    }
  }
}

std::size_t LatentSize(const MmditDims& dims, int width, int height) {
  return static_cast<std::size_t>(dims.latent_channels) * static_cast<std::size_t>(width) *
         static_cast<std::size_t>(height);
}

}  // namespace

std::vector<float> FlowSigmas(int steps, float shift) {
  const auto shifted = [shift](float t) { return shift * t / (1.0f + (shift - 1.0f) * t); };
  const float first = shifted(1.0f), last = shifted(1.0f / 1000.0f);
  std::vector<float> sigmas;
  for (int i = 0; i < steps; ++i) {
    const float part = steps == 1 ? 0.0f : static_cast<float>(i) / static_cast<float>(steps - 1);
    sigmas.push_back(shifted(first + (last - first) * part));
  }
  sigmas.push_back(0.0f);
  return sigmas;
}

void EulerStep(std::vector<float>& latent, const std::vector<float>& velocity, float from,
               float to) {
  for (std::size_t i = 0; i < latent.size(); ++i) latent[i] += (to - from) * velocity[i];
}

std::vector<float> Guide(std::span<const float> conditional, std::span<const float> unconditional,
                         float scale) {
  std::vector<float> out(conditional.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = unconditional[i] + scale * (conditional[i] - unconditional[i]);
  }
  return out;
}

std::vector<float> Noise(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  std::vector<float> out(count);
  for (float& value : out) {  // Box-Muller, one of its pair; the library's own is unspecified
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    value = static_cast<float>(radius * std::cos(2.0 * std::numbers::pi * uniform()));
  }
  return out;
}

std::vector<float> Patchify(const std::vector<float>& latent, const MmditDims& dims, int width,
                            int height) {
  std::vector<float> tokens(LatentSize(dims, width, height));
  const auto values = static_cast<std::size_t>(dims.PatchValues());
  VisitPatches(dims, width, height,
               [&](std::size_t token, int y, int x, int channel, std::size_t index) {
                 const int within = (channel * dims.patch + y) * dims.patch + x;
                 tokens[token * values + static_cast<std::size_t>(within)] = latent[index];
               });
  return tokens;
}

std::vector<float> Unpatchify(std::span<const float> tokens, const MmditDims& dims, int width,
                              int height) {
  std::vector<float> latent(LatentSize(dims, width, height));
  const auto values = static_cast<std::size_t>(dims.PatchValues());
  VisitPatches(dims, width, height,
               [&](std::size_t token, int y, int x, int channel, std::size_t index) {
                 const int within = (y * dims.patch + x) * dims.latent_channels + channel;
                 latent[index] = tokens[token * values + static_cast<std::size_t>(within)];
               });
  return latent;
}

std::vector<std::int32_t> CroppedPositions(const MmditDims& dims, int tokens_wide,
                                           int tokens_high) {
  const int left = (dims.pos_max - tokens_wide) / 2, top = (dims.pos_max - tokens_high) / 2;
  std::vector<std::int32_t> rows;
  for (int y = 0; y < tokens_high; ++y) {
    for (int x = 0; x < tokens_wide; ++x) rows.push_back((top + y) * dims.pos_max + left + x);
  }
  return rows;
}

}  // namespace cbench::embedded
