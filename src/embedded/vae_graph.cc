#include "embedded/vae_graph.h"

#include <cmath>

namespace cbench::embedded {
namespace {

constexpr float kNormEpsilon = 1e-6f;

// A value per channel, shaped to broadcast over pixels.
ggml_tensor* PerChannel(const VaeBuild& build, ggml_tensor* values) {
  return ggml_reshape_3d(build.context, values, 1, 1, values->ne[0]);
}

ggml_tensor* Conv(const VaeBuild& build, const std::string& name, ggml_tensor* in) {
  ggml_tensor* kernel = build.weights.Get(name + ".weight");
  const int padding = kernel->ne[0] == 3 ? 1 : 0;
  const auto conv = build.direct ? ggml_conv_2d_direct : ggml_conv_2d;
  ggml_tensor* out = conv(build.context, kernel, in, 1, 1, padding, padding, 1, 1);
  return ggml_add(build.context, out, PerChannel(build, build.weights.Get(name + ".bias")));
}

ggml_tensor* GroupNorm(const VaeBuild& build, const std::string& name, ggml_tensor* in) {
  ggml_tensor* out = ggml_group_norm(build.context, in, kNormGroups, kNormEpsilon);
  out = ggml_mul(build.context, out, PerChannel(build, build.weights.Get(name + ".weight")));
  return ggml_add(build.context, out, PerChannel(build, build.weights.Get(name + ".bias")));
}

ggml_tensor* NormAndConv(const VaeBuild& build, const std::string& norm, const std::string& conv,
                         ggml_tensor* in) {
  return Conv(build, conv, ggml_silu(build.context, GroupNorm(build, norm, in)));
}

// A 1×1 convolution over pixels laid out [channels, pixels].
ggml_tensor* Pointwise(const VaeBuild& build, const std::string& name, ggml_tensor* in) {
  ggml_tensor* kernel = build.weights.Get(name + ".weight");
  ggml_tensor* matrix = ggml_reshape_2d(build.context, kernel, kernel->ne[2], kernel->ne[3]);
  return ggml_add(build.context, ggml_mul_mat(build.context, matrix, in),
                  build.weights.Get(name + ".bias"));
}

ggml_tensor* Transposed(const VaeBuild& build, ggml_tensor* in) {
  return ggml_cont(build.context, ggml_transpose(build.context, in));
}

}  // namespace

ggml_tensor* BuildVaeResBlock(const VaeBuild& build, const std::string& name, ggml_tensor* in) {
  ggml_tensor* out = NormAndConv(build, name + ".norm1", name + ".conv1", in);
  out = NormAndConv(build, name + ".norm2", name + ".conv2", out);
  const bool same = out->ne[2] == in->ne[2];
  return ggml_add(build.context, same ? in : Conv(build, name + ".nin_shortcut", in), out);
}

// Its head is as wide as the level has channels, more than fused attention kernels take.
ggml_tensor* BuildVaeAttention(const VaeBuild& build, const std::string& name, ggml_tensor* in) {
  const std::int64_t channels = in->ne[2], pixels = in->ne[0] * in->ne[1];
  ggml_tensor* norm = GroupNorm(build, name + ".norm", in);
  ggml_tensor* flat = Transposed(build, ggml_reshape_2d(build.context, norm, pixels, channels));
  ggml_tensor* q = Pointwise(build, name + ".q", flat);
  ggml_tensor* k = Pointwise(build, name + ".k", flat);
  ggml_tensor* v = Pointwise(build, name + ".v", flat);
  const float scale = 1.0f / std::sqrt(static_cast<float>(channels));
  ggml_tensor* scores =
      ggml_soft_max_ext(build.context, ggml_mul_mat(build.context, k, q), nullptr, scale, 0.0f);
  ggml_tensor* mixed = ggml_mul_mat(build.context, Transposed(build, v), scores);
  ggml_tensor* out = Transposed(build, Pointwise(build, name + ".proj_out", mixed));
  return ggml_add(build.context, in,
                  ggml_reshape_3d(build.context, out, in->ne[0], in->ne[1], channels));
}

ggml_tensor* BuildVaeUpsample(const VaeBuild& build, const std::string& name, ggml_tensor* in) {
  return Conv(build, name + ".conv", ggml_upscale(build.context, in, 2, GGML_SCALE_MODE_NEAREST));
}

ggml_tensor* BuildVaeDecoder(const VaeBuild& build, ggml_tensor* latent) {
  const std::string decoder = "first_stage_model.decoder.";
  ggml_tensor* out = Conv(build, decoder + "conv_in", latent);
  out = BuildVaeResBlock(build, decoder + "mid.block_1", out);
  out = BuildVaeAttention(build, decoder + "mid.attn_1", out);
  out = BuildVaeResBlock(build, decoder + "mid.block_2", out);
  const VaeDims& dims = build.weights.dims().vae;
  for (int level = static_cast<int>(dims.channels.size()) - 1; level >= 0; --level) {
    const std::string up = decoder + "up." + std::to_string(level);
    for (int i = 0; i < dims.res_blocks; ++i) {
      out = BuildVaeResBlock(build, up + ".block." + std::to_string(i), out);
    }
    if (level > 0) out = BuildVaeUpsample(build, up + ".upsample", out);
  }
  return NormAndConv(build, decoder + "norm_out", decoder + "conv_out", out);
}

}  // namespace cbench::embedded
