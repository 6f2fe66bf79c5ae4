// The denoiser's graph against the same network written as plain loops over doubles.
#include "embedded/mmdit_graph.h"

#include <cmath>

#include "embedded/image_latent.h"
#include "embedded/image_session.h"
#include "embedded/image_testing.h"

namespace cbench::embedded {
namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;  // a row a token

Row LayerNorm(const Row& in) {
  double mean = 0, variance = 0;
  for (const double v : in) mean += v / static_cast<double>(in.size());
  for (const double v : in) variance += (v - mean) * (v - mean) / static_cast<double>(in.size());
  Row out;
  for (const double v : in) out.push_back((v - mean) / std::sqrt(variance + 1e-6));
  return out;
}

double Silu(double x) { return x / (1 + std::exp(-x)); }
double Gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

class Reference {
 public:
  explicit Reference(const LoadedModel& model) : model_(model), dims_(model.weights.dims().mmdit) {}

  Rows Linear(const std::string& name, const Rows& in) const {
    const auto weight = model_.Values(name + ".weight"), bias = model_.Values(name + ".bias");
    Rows out(in.size(), Row(bias.begin(), bias.end()));
    for (std::size_t t = 0; t < in.size(); ++t) {
      for (std::size_t o = 0; o < bias.size(); ++o) {
        for (std::size_t i = 0; i < in[t].size(); ++i) {
          out[t][o] += weight[o * in[t].size() + i] * in[t][i];
        }
      }
    }
    return out;
  }

  Row Linear(const std::string& name, const Row& in) const { return Linear(name, Rows{in})[0]; }

  Row TwoLayers(const std::string& name, const Row& in) const {
    Row hidden = Linear(name + ".mlp.0", in);
    for (double& v : hidden) v = Silu(v);
    return Linear(name + ".mlp.2", hidden);
  }

  Row Condition(double timestep, const Row& pooled) const {
    Row features;
    for (int part = 0; part < 2; ++part) {
      for (int i = 0; i < kTimestepFeatures / 2; ++i) {
        const double angle = timestep * std::pow(10000.0, -i / (kTimestepFeatures / 2.0));
        features.push_back(part == 0 ? std::cos(angle) : std::sin(angle));
      }
    }
    Row out = TwoLayers("t_embedder", features);
    const Row text = TwoLayers("y_embedder", pooled);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = Silu(out[i] + text[i]);
    return out;
  }

  Rows EmbedPatches(const Rows& patches, const std::vector<std::int32_t>& positions) const {
    Rows out = Linear("x_embedder.proj", patches);
    const auto table = model_.Values("pos_embed");
    for (std::size_t t = 0; t < out.size(); ++t) {
      const auto row = static_cast<std::size_t>(positions[t]) * Width();
      for (std::size_t i = 0; i < Width(); ++i) out[t][i] += table[row + i];
    }
    return out;
  }

  void JointBlock(int index, Rows& x, Rows& c, const Row& condition) const {
    const std::string block = "joint_blocks." + std::to_string(index);
    const std::string image = block + ".x_block", text = block + ".context_block";
    const bool dual = index < dims_.dual_blocks, last = index == dims_.depth - 1;
    const Row image_mods = Linear(image + ".adaLN_modulation.1", condition);
    const Row text_mods = Linear(text + ".adaLN_modulation.1", condition);
    const Rows x_in = x;
    Rows qkv = Linear(text + ".attn.qkv", Modulated(c, text_mods, 0));
    Normalise(qkv, text + ".attn");
    Rows image_qkv = Linear(image + ".attn.qkv", Modulated(x, image_mods, 0));
    Normalise(image_qkv, image + ".attn");
    qkv.insert(qkv.end(), image_qkv.begin(), image_qkv.end());
    const Rows mixed = Attention(qkv);
    const auto split = mixed.begin() + static_cast<std::ptrdiff_t>(c.size());
    AddGated(x, Linear(image + ".attn.proj", Rows(split, mixed.end())), image_mods, 2);
    if (dual) {
      Rows own = Linear(image + ".attn2.qkv", Modulated(x_in, image_mods, 6));
      Normalise(own, image + ".attn2");
      AddGated(x, Linear(image + ".attn2.proj", Attention(own)), image_mods, 8);
    }
    Mlp(image, x, image_mods);
    if (last) return;
    AddGated(c, Linear(text + ".attn.proj", Rows(mixed.begin(), split)), text_mods, 2);
    Mlp(text, c, text_mods);
  }

  Rows Finish(const Rows& x, const Row& condition) const {
    const Row mods = Linear("final_layer.adaLN_modulation.1", condition);
    return Linear("final_layer.linear", Modulated(x, mods, 0));
  }

 private:
  std::size_t Width() const { return static_cast<std::size_t>(dims_.width); }

  // shift is part `first`, scale the next.
  Rows Modulated(const Rows& in, const Row& mods, std::size_t first) const {
    Rows out;
    for (const Row& row : in) {
      out.push_back(LayerNorm(row));
      for (std::size_t i = 0; i < Width(); ++i) {
        out.back()[i] =
            out.back()[i] * (1 + mods[(first + 1) * Width() + i]) + mods[first * Width() + i];
      }
    }
    return out;
  }

  void AddGated(Rows& to, const Rows& what, const Row& mods, std::size_t gate) const {
    for (std::size_t t = 0; t < to.size(); ++t) {
      for (std::size_t i = 0; i < Width(); ++i) to[t][i] += mods[gate * Width() + i] * what[t][i];
    }
  }

  // Root-mean-square norm of each head of q and k.
  void Normalise(Rows& qkv, const std::string& attention) const {
    const auto q = model_.Values(attention + ".ln_q.weight");
    const auto k = model_.Values(attention + ".ln_k.weight");
    for (Row& row : qkv) {
      for (std::size_t start = 0; start < 2 * Width(); start += kHeadSize) {
        double square = 0;
        for (std::size_t i = 0; i < kHeadSize; ++i) square += row[start + i] * row[start + i];
        const double scale = 1 / std::sqrt(square / kHeadSize + 1e-6);
        for (std::size_t i = 0; i < kHeadSize; ++i) {
          row[start + i] *= scale * (start < Width() ? q : k)[i];
        }
      }
    }
  }

  Rows Attention(const Rows& qkv) const {
    Rows out(qkv.size(), Row(Width()));
    for (std::size_t head = 0; head < Width(); head += kHeadSize) {
      for (std::size_t t = 0; t < qkv.size(); ++t) {
        Row weight;
        double sum = 0;
        for (const Row& other : qkv) {
          double dot = 0;
          for (std::size_t i = 0; i < kHeadSize; ++i) {
            dot += qkv[t][head + i] * other[Width() + head + i];
          }
          weight.push_back(std::exp(dot / 8));
          sum += weight.back();
        }
        for (std::size_t s = 0; s < qkv.size(); ++s) {
          for (std::size_t i = 0; i < kHeadSize; ++i) {
            out[t][head + i] += weight[s] / sum * qkv[s][2 * Width() + head + i];
          }
        }
      }
    }
    return out;
  }

  void Mlp(const std::string& half, Rows& x, const Row& mods) const {
    Rows hidden = Linear(half + ".mlp.fc1", Modulated(x, mods, 3));
    for (Row& row : hidden) {
      for (double& v : row) v = Gelu(v);
    }
    AddGated(x, Linear(half + ".mlp.fc2", hidden), mods, 5);
  }

  const LoadedModel& model_;
  const MmditDims& dims_;
};

Rows ToRows(const std::vector<float>& values, std::size_t width) {
  Rows rows;
  for (std::size_t i = 0; i < values.size(); i += width) {
    rows.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(i),
                      values.begin() + static_cast<std::ptrdiff_t>(i + width));
  }
  return rows;
}

constexpr int kPixels = 64;  // 16 image tokens

// The network's inputs for one batch entry of a 64x64 image.
struct Inputs {
  explicit Inputs(const MmditDims& dims) {
    const auto size = [](int a, int b) { return static_cast<std::size_t>(a * b); };
    patches = Noise(1, size(16, dims.PatchValues()));
    context = Noise(2, size(dims.context_tokens, dims.context_dim));
    pooled = Noise(3, static_cast<std::size_t>(dims.pooled_dim));
  }
  std::vector<float> patches, context, pooled;
  float timestep = 731.5f;
};

// `text` and `pooled` may hold two batch entries.
std::vector<float> Predict(const LoadedModel& model, int batch, int groups, const Inputs& in,
                           const std::vector<float>& context, const std::vector<float>& pooled) {
  auto session =
      ImageSession::Make(model.weights, model.backend.get(),
                         {.width = kPixels, .height = kPixels, .batch = batch, .groups = groups});
  EXPECT_TRUE(session) << session.error().message;
  (*session)->SetPrompt(context, pooled);
  (*session)->SetStep(in.patches, in.timestep);
  for (int group = 0; group < (*session)->Groups(); ++group) {
    EXPECT_TRUE((*session)->RunGroup(group));
  }
  return (*session)->Velocity();
}

Rows Expected(const LoadedModel& model, const Inputs& in) {
  const MmditDims& dims = model.weights.dims().mmdit;
  const Reference reference(model);
  const auto positions = CroppedPositions(dims, 4, 4);
  Rows x = reference.EmbedPatches(ToRows(in.patches, static_cast<std::size_t>(dims.PatchValues())),
                                  positions);
  Rows c = reference.Linear("context_embedder",
                            ToRows(in.context, static_cast<std::size_t>(dims.context_dim)));
  const Row condition = reference.Condition(in.timestep, Row(in.pooled.begin(), in.pooled.end()));
  for (int block = 0; block < dims.depth; ++block) reference.JointBlock(block, x, c, condition);
  return reference.Finish(x, condition);
}

// Keys and values are f16 in fused attention and GELU is a table of f16, on purpose; hence a bound
// on the error's root mean square and a looser one on the largest of thousands.
void ExpectNear(const std::vector<float>& got, const Rows& expected) {
  std::size_t at = 0;
  double largest = 0, error_square = 0, square = 0;
  for (const Row& row : expected) {
    for (const double value : row) {
      ASSERT_TRUE(std::isfinite(got[at]));
      const double error = std::abs(got[at++] - value);
      largest = std::max(largest, error);
      error_square += error * error;
      square += value * value;
    }
  }
  ASSERT_EQ(at, got.size());
  const double spread = std::sqrt(square / static_cast<double>(at));
  EXPECT_GT(spread, 0.1) << "values this small would hide errors";
  EXPECT_LT(std::sqrt(error_square / static_cast<double>(at)), 1e-3 * spread);
  EXPECT_LT(largest, 4e-3 * spread);
}

TEST(MmditGraph, EqualsTheReferenceWithinOneThousandth) {
  const LoadedModel model;
  const Inputs in(model.weights.dims().mmdit);
  ExpectNear(Predict(model, 1, 1, in, in.context, in.pooled), Expected(model, in));
}

TEST(MmditGraph, EachBatchEntryFollowsItsOwnPrompt) {
  const LoadedModel model;
  const Inputs in(model.weights.dims().mmdit);
  Inputs other(model.weights.dims().mmdit);
  other.context = Noise(12, in.context.size());
  other.pooled = Noise(13, in.pooled.size());
  std::vector<float> context = in.context, pooled = in.pooled;
  context.insert(context.end(), other.context.begin(), other.context.end());
  pooled.insert(pooled.end(), other.pooled.begin(), other.pooled.end());
  const auto both = Predict(model, 2, 1, in, context, pooled);
  Rows expected = Expected(model, in);
  const Rows second = Expected(model, other);
  expected.insert(expected.end(), second.begin(), second.end());
  ExpectNear(both, expected);
}

TEST(MmditGraph, GroupsOfBlocksComputeTheSameNumbers) {
  const LoadedModel model;
  const Inputs in(model.weights.dims().mmdit);
  EXPECT_EQ(Predict(model, 1, 1, in, in.context, in.pooled),
            Predict(model, 1, 2, in, in.context, in.pooled));
}

}  // namespace
}  // namespace cbench::embedded
