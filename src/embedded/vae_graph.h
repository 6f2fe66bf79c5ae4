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

// `latent` [w, h, latent channels] holds z as the decoder wants it (scale and shift undone); the
// result is [8w, 8h, 3], about -1 to 1. Tensors are made in `context`, without data.
ggml_tensor* BuildVaeDecoder(ggml_context* context, const ImageWeights& weights,
                             ggml_tensor* latent);

// Its parts, for tests: a residual block, the attention block, doubling with its convolution.
ggml_tensor* BuildVaeResBlock(ggml_context* context, const ImageWeights& weights,
                              const std::string& name, ggml_tensor* in);
ggml_tensor* BuildVaeAttention(ggml_context* context, const ImageWeights& weights,
                               const std::string& name, ggml_tensor* in);
ggml_tensor* BuildVaeUpsample(ggml_context* context, const ImageWeights& weights,
                              const std::string& name, ggml_tensor* in);

}  // namespace cbench::embedded
