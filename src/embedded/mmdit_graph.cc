#include "embedded/mmdit_graph.h"

#include <cmath>

namespace cbench::embedded {
namespace {

constexpr float kNormEpsilon = 1e-6f;

struct Qkv {
  ggml_tensor *q, *k, *v;  // [head size, heads, tokens, B]
};

class Builder {
 public:
  Builder(ggml_context* context, ggml_cgraph* graph, const ImageWeights& weights,
          const MmditState& state)
      : ctx_(context),
        graph_(graph),
        weights_(weights),
        state_(state),
        dims_(weights.dims().mmdit) {}

  void Embed() {
    x_ = EmbedPatches();
    c_ = Linear("context_embedder", state_.context);
    ggml_tensor* time = ggml_timestep_embedding(ctx_, state_.timestep, kTimestepFeatures, 10000);
    ggml_tensor* pooled = TwoLayers("y_embedder", state_.pooled);
    condition_ = ggml_silu(ctx_, ggml_add(ctx_, pooled, TwoLayers("t_embedder", time)));
  }

  void Resume() {
    x_ = state_.x;
    c_ = state_.c;
    condition_ = state_.condition;
  }

  void JointBlock(int index) {
    const std::string block = "joint_blocks." + std::to_string(index);
    const std::string image = block + ".x_block", text = block + ".context_block";
    const bool dual = index < dims_.dual_blocks, last = index == dims_.depth - 1;
    ggml_tensor* image_mods = Linear(image + ".adaLN_modulation.1", condition_);
    ggml_tensor* text_mods = Linear(text + ".adaLN_modulation.1", condition_);

    ggml_tensor* image_norm = LayerNorm(x_);
    const Qkv from_image =
        Project(image + ".attn", Modulate(image_norm, Part(image_mods, 0), Part(image_mods, 1)));
    const Qkv from_text =
        Project(text + ".attn", Modulate(LayerNorm(c_), Part(text_mods, 0), Part(text_mods, 1)));
    ggml_tensor* joint = Attend(Join(from_text, from_image));
    const std::int64_t text_tokens = c_->ne[1];

    ggml_tensor* x =
        AddGated(x_, Linear(image + ".attn.proj", Tokens(joint, text_tokens, x_->ne[1])),
                 Part(image_mods, 2));
    if (dual) {
      const Qkv own =
          Project(image + ".attn2", Modulate(image_norm, Part(image_mods, 6), Part(image_mods, 7)));
      x = AddGated(x, Linear(image + ".attn2.proj", Attend(own)), Part(image_mods, 8));
    }
    x_ = Mlp(image + ".mlp", x, image_mods);
    if (last) return;  // nothing reads the text tokens any more
    ggml_tensor* c = AddGated(c_, Linear(text + ".attn.proj", Tokens(joint, 0, text_tokens)),
                              Part(text_mods, 2));
    c_ = Mlp(text + ".mlp", c, text_mods);
  }

  void Finish() {
    ggml_tensor* mods = Linear("final_layer.adaLN_modulation.1", condition_);
    ggml_tensor* out = Modulate(LayerNorm(x_), Part(mods, 0), Part(mods, 1));
    Store(Linear("final_layer.linear", out), state_.velocity);
  }

  void Suspend(bool embedded) {
    Store(x_, state_.x);
    Store(c_, state_.c);
    if (embedded) Store(condition_, state_.condition);
  }

 private:
  ggml_tensor* Linear(const std::string& name, ggml_tensor* in) {
    return ggml_add(ctx_, ggml_mul_mat(ctx_, weights_.Get(name + ".weight"), in),
                    weights_.Get(name + ".bias"));
  }

  ggml_tensor* TwoLayers(const std::string& name, ggml_tensor* in) {
    return Linear(name + ".mlp.2", ggml_silu(ctx_, Linear(name + ".mlp.0", in)));
  }

  // A convolution whose stride is its kernel is a matrix product over patches.
  ggml_tensor* EmbedPatches() {
    ggml_tensor* kernel = ggml_reshape_2d(ctx_, weights_.Get("x_embedder.proj.weight"),
                                          dims_.PatchValues(), dims_.width);
    ggml_tensor* x = ggml_add(ctx_, ggml_mul_mat(ctx_, kernel, state_.patches),
                              weights_.Get("x_embedder.proj.bias"));
    x = ggml_add(ctx_, x, ggml_get_rows(ctx_, weights_.Get("pos_embed"), state_.positions));
    return ggml_repeat(ctx_, x, state_.x);
  }

  ggml_tensor* LayerNorm(ggml_tensor* in) { return ggml_norm(ctx_, in, kNormEpsilon); }

  ggml_tensor* Part(ggml_tensor* mods, int index) {
    const std::size_t offset =
        static_cast<std::size_t>(index) * static_cast<std::size_t>(dims_.width) * sizeof(float);
    return ggml_cont(ctx_, ggml_view_3d(ctx_, mods, dims_.width, 1, mods->ne[1], mods->nb[1],
                                        mods->nb[1], offset));
  }

  ggml_tensor* Modulate(ggml_tensor* in, ggml_tensor* shift, ggml_tensor* scale) {
    ggml_tensor* factor = ggml_scale_bias(ctx_, scale, 1.0f, 1.0f);
    return ggml_add(ctx_, ggml_mul(ctx_, in, factor), shift);
  }

  ggml_tensor* AddGated(ggml_tensor* to, ggml_tensor* what, ggml_tensor* gate) {
    return ggml_add(ctx_, to, ggml_mul(ctx_, what, gate));
  }

  ggml_tensor* HeadNorm(ggml_tensor* in, const std::string& name) {
    return ggml_mul(ctx_, ggml_rms_norm(ctx_, in, kNormEpsilon), weights_.Get(name));
  }

  Qkv Project(const std::string& attention, ggml_tensor* in) {
    ggml_tensor* qkv = Linear(attention + ".qkv", in);
    const auto part = [&](std::size_t index) {
      return ggml_view_4d(ctx_, qkv, kHeadSize, dims_.Heads(), qkv->ne[1], qkv->ne[2],
                          kHeadSize * sizeof(float), qkv->nb[1], qkv->nb[2],
                          index * static_cast<std::size_t>(dims_.width) * sizeof(float));
    };
    return {HeadNorm(part(0), attention + ".ln_q.weight"),
            HeadNorm(part(1), attention + ".ln_k.weight"), part(2)};
  }

  Qkv Join(const Qkv& a, const Qkv& b) {
    return {ggml_concat(ctx_, a.q, b.q, 2), ggml_concat(ctx_, a.k, b.k, 2),
            ggml_concat(ctx_, a.v, b.v, 2)};
  }

  // Softmax attention, [width, tokens, B]. The fused kernels take keys and values in f16.
  ggml_tensor* Attend(const Qkv& in) {
    const auto by_head = [&](ggml_tensor* t) { return ggml_permute(ctx_, t, 0, 2, 1, 3); };
    ggml_tensor* out =
        ggml_flash_attn_ext(ctx_, by_head(in.q), ggml_cast(ctx_, by_head(in.k), GGML_TYPE_F16),
                            ggml_cast(ctx_, by_head(in.v), GGML_TYPE_F16), nullptr,
                            1.0f / std::sqrt(static_cast<float>(kHeadSize)), 0.0f, 0.0f);
    return ggml_reshape_3d(ctx_, out, dims_.width, in.q->ne[2], in.q->ne[3]);
  }

  ggml_tensor* Tokens(ggml_tensor* all, std::int64_t first, std::int64_t count) {
    return ggml_cont(ctx_, ggml_view_3d(ctx_, all, all->ne[0], count, all->ne[2], all->nb[1],
                                        all->nb[2], static_cast<std::size_t>(first) * all->nb[1]));
  }

  ggml_tensor* Mlp(const std::string& name, ggml_tensor* in, ggml_tensor* mods) {
    ggml_tensor* out = Modulate(LayerNorm(in), Part(mods, 3), Part(mods, 4));
    out = Linear(name + ".fc2", ggml_gelu(ctx_, Linear(name + ".fc1", out)));
    return AddGated(in, out, Part(mods, 5));
  }

  void Store(ggml_tensor* value, ggml_tensor* to) {
    if (value != to) ggml_build_forward_expand(graph_, ggml_cpy(ctx_, value, to));
  }

  ggml_context* ctx_;
  ggml_cgraph* graph_;
  const ImageWeights& weights_;
  const MmditState& state_;
  const MmditDims& dims_;
  ggml_tensor *x_ = nullptr, *c_ = nullptr, *condition_ = nullptr;
};

}  // namespace

MmditState MakeMmditState(ggml_context* context, const MmditDims& dims, int tokens, int batch) {
  const auto floats = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
    return ggml_new_tensor_3d(context, GGML_TYPE_F32, a, b, c);
  };
  return {.patches = floats(dims.PatchValues(), tokens, 1),
          .positions = ggml_new_tensor_1d(context, GGML_TYPE_I32, tokens),
          .timestep = floats(1, 1, 1),
          .context = floats(dims.context_dim, dims.context_tokens, batch),
          .pooled = floats(dims.pooled_dim, batch, 1),
          .x = floats(dims.width, tokens, batch),
          .c = floats(dims.width, dims.context_tokens, batch),
          .condition = floats(dims.width, batch, 1),
          .velocity = floats(dims.PatchValues(), tokens, batch)};
}

void BuildMmdit(ggml_context* context, ggml_cgraph* graph, const ImageWeights& weights,
                const MmditState& state, int first, int last) {
  Builder builder(context, graph, weights, state);
  first == 0 ? builder.Embed() : builder.Resume();
  for (int block = first; block < last; ++block) builder.JointBlock(block);
  last == weights.dims().mmdit.depth ? builder.Finish() : builder.Suspend(first == 0);
}

}  // namespace cbench::embedded
