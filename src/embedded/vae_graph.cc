#include "embedded/vae_graph.h"

#include <cmath>

namespace cbench::embedded {
namespace {

constexpr float kNormEpsilon = 1e-6f;

// A value per channel, shaped to broadcast over pixels.
ggml_tensor* PerChannel(ggml_context* ctx, ggml_tensor* values) {
  return ggml_reshape_3d(ctx, values, 1, 1, values->ne[0]);
}

ggml_tensor* Conv(ggml_context* ctx, const ImageWeights& weights, const std::string& name,
                  ggml_tensor* in) {
  ggml_tensor* kernel = weights.Get(name + ".weight");
  const int padding = kernel->ne[0] == 3 ? 1 : 0;
  ggml_tensor* out = ggml_conv_2d_direct(ctx, kernel, in, 1, 1, padding, padding, 1, 1);
  return ggml_add(ctx, out, PerChannel(ctx, weights.Get(name + ".bias")));
}

ggml_tensor* GroupNorm(ggml_context* ctx, const ImageWeights& weights, const std::string& name,
                       ggml_tensor* in) {
  ggml_tensor* out = ggml_group_norm(ctx, in, kNormGroups, kNormEpsilon);
  out = ggml_mul(ctx, out, PerChannel(ctx, weights.Get(name + ".weight")));
  return ggml_add(ctx, out, PerChannel(ctx, weights.Get(name + ".bias")));
}

ggml_tensor* NormAndConv(ggml_context* ctx, const ImageWeights& weights, const std::string& norm,
                         const std::string& conv, ggml_tensor* in) {
  return Conv(ctx, weights, conv, ggml_silu(ctx, GroupNorm(ctx, weights, norm, in)));
}

// A 1×1 convolution over pixels laid out [channels, pixels].
ggml_tensor* Pointwise(ggml_context* ctx, const ImageWeights& weights, const std::string& name,
                       ggml_tensor* in) {
  ggml_tensor* kernel = weights.Get(name + ".weight");
  ggml_tensor* matrix = ggml_reshape_2d(ctx, kernel, kernel->ne[2], kernel->ne[3]);
  return ggml_add(ctx, ggml_mul_mat(ctx, matrix, in), weights.Get(name + ".bias"));
}

ggml_tensor* Transposed(ggml_context* ctx, ggml_tensor* in) {
  return ggml_cont(ctx, ggml_transpose(ctx, in));
}

}  // namespace

ggml_tensor* BuildVaeResBlock(ggml_context* ctx, const ImageWeights& weights,
                              const std::string& name, ggml_tensor* in) {
  ggml_tensor* out = NormAndConv(ctx, weights, name + ".norm1", name + ".conv1", in);
  out = NormAndConv(ctx, weights, name + ".norm2", name + ".conv2", out);
  const bool same = out->ne[2] == in->ne[2];
  return ggml_add(ctx, same ? in : Conv(ctx, weights, name + ".nin_shortcut", in), out);
}

// Its head is as wide as the level has channels, more than fused attention kernels take.
ggml_tensor* BuildVaeAttention(ggml_context* ctx, const ImageWeights& weights,
                               const std::string& name, ggml_tensor* in) {
  const std::int64_t channels = in->ne[2], pixels = in->ne[0] * in->ne[1];
  ggml_tensor* norm = GroupNorm(ctx, weights, name + ".norm", in);
  ggml_tensor* flat = Transposed(ctx, ggml_reshape_2d(ctx, norm, pixels, channels));
  ggml_tensor* q = Pointwise(ctx, weights, name + ".q", flat);
  ggml_tensor* k = Pointwise(ctx, weights, name + ".k", flat);
  ggml_tensor* v = Pointwise(ctx, weights, name + ".v", flat);
  const float scale = 1.0f / std::sqrt(static_cast<float>(channels));
  ggml_tensor* scores = ggml_soft_max_ext(ctx, ggml_mul_mat(ctx, k, q), nullptr, scale, 0.0f);
  ggml_tensor* mixed = ggml_mul_mat(ctx, Transposed(ctx, v), scores);
  ggml_tensor* out = Transposed(ctx, Pointwise(ctx, weights, name + ".proj_out", mixed));
  return ggml_add(ctx, in, ggml_reshape_3d(ctx, out, in->ne[0], in->ne[1], channels));
}

ggml_tensor* BuildVaeUpsample(ggml_context* ctx, const ImageWeights& weights,
                              const std::string& name, ggml_tensor* in) {
  return Conv(ctx, weights, name + ".conv", ggml_upscale(ctx, in, 2, GGML_SCALE_MODE_NEAREST));
}

ggml_tensor* BuildVaeDecoder(ggml_context* ctx, const ImageWeights& weights, ggml_tensor* latent) {
  const std::string decoder = "first_stage_model.decoder.";
  ggml_tensor* out = Conv(ctx, weights, decoder + "conv_in", latent);
  out = BuildVaeResBlock(ctx, weights, decoder + "mid.block_1", out);
  out = BuildVaeAttention(ctx, weights, decoder + "mid.attn_1", out);
  out = BuildVaeResBlock(ctx, weights, decoder + "mid.block_2", out);
  const VaeDims& dims = weights.dims().vae;
  for (int level = static_cast<int>(dims.channels.size()) - 1; level >= 0; --level) {
    const std::string up = decoder + "up." + std::to_string(level);
    for (int i = 0; i < dims.res_blocks; ++i) {
      out = BuildVaeResBlock(ctx, weights, up + ".block." + std::to_string(i), out);
    }
    if (level > 0) out = BuildVaeUpsample(ctx, weights, up + ".upsample", out);
  }
  return NormAndConv(ctx, weights, decoder + "norm_out", decoder + "conv_out", out);
}

}  // namespace cbench::embedded
