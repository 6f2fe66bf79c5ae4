// The decoder of the VAE as one ggml graph: latents to pixels, eight times the size a side.
//
// convolution, residual block, single-head self-attention, residual block; then, from latent to
// full resolution, levels of residual blocks, each followed by nearest-neighbour doubling and a
// convolution; group norm, SiLU, convolution to red, green, blue. Source: the autoencoder of
// Rombach et al., High-Resolution Image Synthesis with Latent Diffusion Models (2022), in the
// 16-channel form of Stable Diffusion 3.
#pragma once

#include <ggml.h>

#include "embedded/image_weights.h"

namespace cbench::embedded {

struct VaeBuild {
  ggml_context* context;  // the graph's tensors are made here, without data
  const ImageWeights& weights;
  // Convolve in place instead of by a matrix product over unfolded patches, which needs nine times
  // the input's memory: for the CPU, where memory is short and the speed about the same.
  bool direct = true;
};

// `latent` [w, h, latent channels] holds z as the decoder wants it (scale and shift undone); the
// result is [8w, 8h, 3], about -1 to 1.
ggml_tensor* BuildVaeDecoder(const VaeBuild& build, ggml_tensor* latent);

// Its parts, for tests: a residual block, the attention block, doubling with its convolution.
ggml_tensor* BuildVaeResBlock(const VaeBuild& build, const std::string& name, ggml_tensor* in);
ggml_tensor* BuildVaeAttention(const VaeBuild& build, const std::string& name, ggml_tensor* in);
ggml_tensor* BuildVaeUpsample(const VaeBuild& build, const std::string& name, ggml_tensor* in);

}  // namespace cbench::embedded
