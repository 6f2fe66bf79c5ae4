// The dimensions of a Stable-Diffusion-3.5-style image model: the denoiser (MMDiT-X: two token
// streams, image and text, that attend jointly) and the decoder of its VAE. The graphs, the tensor
// list and the model file are all functions of this struct, so a demo model differs from the full
// one in numbers only.
#pragma once

#include <gguf.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cbench::embedded {

inline constexpr int kHeadSize = 64;           // every attention of the denoiser
inline constexpr int kTimestepFeatures = 256;  // sinusoids a timestep is expanded into
inline constexpr int kPixelsPerLatent = 8;     // a side of the VAE's down-sampling
inline constexpr int kNormGroups = 32;         // of every GroupNorm in the VAE

struct MmditDims {
  int depth = 24;        // joint blocks; the last one's context half is pre-only
  int width = 1536;      // hidden size, a multiple of kHeadSize
  int dual_blocks = 13;  // the first so many have a second self-attention on image tokens
  int latent_channels = 16;
  int patch = 2;           // latents a side in one image token
  int context_dim = 4096;  // width of a text encoder's output
  int context_tokens = 154;
  int pooled_dim = 2048;  // width of the pooled text vector
  int pos_max = 384;      // image tokens a side that the positional table covers

  int Heads() const { return width / kHeadSize; }
  int PatchValues() const { return patch * patch * latent_channels; }
};

struct VaeDims {
  std::array<int, 4> channels = {128, 256, 512, 512};  // from full resolution to latent resolution
  int res_blocks = 3;                                  // a level
  float scale = 1.5305f, shift = 0.0609f;              // latent = (z - shift) · scale
};

struct ImageDims {
  std::string name;
  MmditDims mmdit;
  VaeDims vae;
  int default_side = 1024;  // pixels
  int default_steps = 28;
  float default_guidance = 4.5f;  // 1: no guidance, the turbo use
  bool synthetic = true;
};

// sd3.5-medium and its turbo and demo twins, and sd3.5-test for our own tests.
const std::vector<ImageDims>& ImageModels();
const ImageDims* FindImageDims(std::string_view name);

// The model file's keys. Reading refuses a foreign architecture, a missing key and dimensions
// that no graph can be built from, naming the key.
void WriteDims(const ImageDims& dims, gguf_context* file);
Result<ImageDims> ReadDims(const gguf_context* file, const std::string& path);

}  // namespace cbench::embedded
