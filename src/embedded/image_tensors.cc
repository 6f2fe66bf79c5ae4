#include "embedded/image_tensors.h"

#include <cmath>

namespace cbench::embedded {
namespace {

// Weights keep the variance of what passes through them (sigma² = 1 / inputs), so activations
// stay in range at any depth and no value overflows f16.
class Lister {
 public:
  explicit Lister(ggml_type matrix) : matrix_(matrix) {}

  void Matrix(const std::string& name, std::int64_t in, std::int64_t out) {
    // Rows that are no multiple of a quantisation block stay f16.
    const bool fits = in % ggml_blck_size(matrix_) == 0;
    list.push_back({name, {in, out, 1, 1}, fits ? matrix_ : GGML_TYPE_F16, 0.0f, Sigma(in)});
  }
  void Linear(const std::string& name, std::int64_t in, std::int64_t out) {
    Matrix(name + ".weight", in, out);
    Constant(name + ".bias", out, 0.0f);
  }
  void Mlp(const std::string& name, const char* first, const char* second, std::int64_t in,
           std::int64_t hidden, std::int64_t out) {
    Linear(name + first, in, hidden);
    Linear(name + second, hidden, out);
  }
  void Conv(const std::string& name, std::int64_t kernel, std::int64_t in, std::int64_t out) {
    const auto type = matrix_ == GGML_TYPE_F32 ? GGML_TYPE_F32 : GGML_TYPE_F16;
    list.push_back(
        {name + ".weight", {kernel, kernel, in, out}, type, 0.0f, Sigma(kernel * kernel * in)});
    Constant(name + ".bias", out, 0.0f);
  }
  void Constant(const std::string& name, std::int64_t size, float value) {
    list.push_back({name, {size, 1, 1, 1}, GGML_TYPE_F32, value, 0.0f});
  }
  void GroupNorm(const std::string& name, std::int64_t channels) {
    Constant(name + ".weight", channels, 1.0f);
    Constant(name + ".bias", channels, 0.0f);
  }

  std::vector<TensorSpec> list;

 private:
  static float Sigma(std::int64_t inputs) { return 1.0f / std::sqrt(static_cast<float>(inputs)); }
  ggml_type matrix_;
};

void Attention(Lister& to, const std::string& name, int width, bool pre_only) {
  to.Linear(name + ".qkv", width, 3 * width);
  to.Constant(name + ".ln_q.weight", kHeadSize, 1.0f);
  to.Constant(name + ".ln_k.weight", kHeadSize, 1.0f);
  if (!pre_only) to.Linear(name + ".proj", width, width);
}

void Half(Lister& to, const std::string& name, int width, bool dual, bool pre_only) {
  to.Linear(name + ".adaLN_modulation.1", width, width * (dual ? 9 : pre_only ? 2 : 6));
  Attention(to, name + ".attn", width, pre_only);
  if (dual) Attention(to, name + ".attn2", width, false);
  if (!pre_only) to.Mlp(name + ".mlp", ".fc1", ".fc2", width, 4 * width, width);
}

void Mmdit(Lister& to, const MmditDims& dims) {
  const int width = dims.width;
  to.Conv("x_embedder.proj", dims.patch, dims.latent_channels, width);
  to.Matrix("pos_embed", width, static_cast<std::int64_t>(dims.pos_max) * dims.pos_max);
  to.Linear("context_embedder", dims.context_dim, width);
  to.Mlp("t_embedder", ".mlp.0", ".mlp.2", kTimestepFeatures, width, width);
  to.Mlp("y_embedder", ".mlp.0", ".mlp.2", dims.pooled_dim, width, width);
  for (int i = 0; i < dims.depth; ++i) {
    const std::string block = "joint_blocks." + std::to_string(i);
    Half(to, block + ".x_block", width, i < dims.dual_blocks, false);
    Half(to, block + ".context_block", width, false, i == dims.depth - 1);
  }
  to.Linear("final_layer.adaLN_modulation.1", width, 2 * width);
  to.Linear("final_layer.linear", width, dims.PatchValues());
}

void ResBlock(Lister& to, const std::string& name, int in, int out) {
  to.GroupNorm(name + ".norm1", in);
  to.Conv(name + ".conv1", 3, in, out);
  to.GroupNorm(name + ".norm2", out);
  to.Conv(name + ".conv2", 3, out, out);
  if (in != out) to.Conv(name + ".nin_shortcut", 1, in, out);
}

void Vae(Lister& to, const ImageDims& dims) {
  const std::string decoder = "first_stage_model.decoder.";
  const auto& channels = dims.vae.channels;
  int in = channels.back();
  to.Conv(decoder + "conv_in", 3, dims.mmdit.latent_channels, in);
  ResBlock(to, decoder + "mid.block_1", in, in);
  to.GroupNorm(decoder + "mid.attn_1.norm", in);
  for (const char* part : {"q", "k", "v", "proj_out"}) {
    to.Conv(decoder + "mid.attn_1." + part, 1, in, in);
  }
  ResBlock(to, decoder + "mid.block_2", in, in);
  for (int level = static_cast<int>(channels.size()) - 1; level >= 0; --level) {
    const std::string up = decoder + "up." + std::to_string(level);
    const int out = channels[static_cast<std::size_t>(level)];
    for (int i = 0; i < dims.vae.res_blocks; ++i) {
      ResBlock(to, up + ".block." + std::to_string(i), i == 0 ? in : out, out);
    }
    if (level > 0) to.Conv(up + ".upsample.conv", 3, out, out);
    in = out;
  }
  to.GroupNorm(decoder + "norm_out", in);
  to.Conv(decoder + "conv_out", 3, in, 3);
}

}  // namespace

std::uint64_t TensorSpec::Bytes() const {
  return ggml_row_size(type, shape[0]) * static_cast<std::uint64_t>(Elements() / shape[0]);
}

std::vector<TensorSpec> ImageTensors(const ImageDims& dims, ggml_type matrix_type) {
  Lister lister(matrix_type);
  Mmdit(lister, dims.mmdit);
  Vae(lister, dims);
  return std::move(lister.list);
}

}  // namespace cbench::embedded
