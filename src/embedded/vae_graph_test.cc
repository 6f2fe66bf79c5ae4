// The VAE's blocks against plain loops over doubles.
#include "embedded/vae_graph.h"

#include <ggml-alloc.h>

#include <cmath>
#include <functional>

#include "embedded/image_latent.h"
#include "embedded/image_testing.h"

namespace cbench::embedded {
namespace {

struct Planes {  // [channel][row][column]
  int channels = 0, height = 0, width = 0;
  std::vector<double> values;
  double& At(int c, int y, int x) { return values[Index(c, y, x)]; }
  double At(int c, int y, int x) const { return values[Index(c, y, x)]; }
  std::size_t Index(int c, int y, int x) const {
    return static_cast<std::size_t>((c * height + y) * width + x);
  }
};

Planes Zeros(int channels, int height, int width) {
  return {channels, height, width,
          std::vector<double>(static_cast<std::size_t>(channels * height * width))};
}

Planes Conv(const LoadedModel& model, const std::string& name, const Planes& in) {
  const auto weight = model.Values(name + ".weight"), bias = model.Values(name + ".bias");
  const int out_channels = static_cast<int>(bias.size());
  const int kernel = static_cast<int>(model.weights.Get(name + ".weight")->ne[0]);
  const int reach = kernel / 2;
  Planes out = Zeros(out_channels, in.height, in.width);
  for (int o = 0; o < out_channels; ++o) {
    for (int y = 0; y < in.height; ++y) {
      for (int x = 0; x < in.width; ++x) {
        double sum = bias[static_cast<std::size_t>(o)];
        for (int c = 0; c < in.channels; ++c) {
          for (int ky = 0; ky < kernel; ++ky) {
            for (int kx = 0; kx < kernel; ++kx) {
              const int from_y = y + ky - reach, from_x = x + kx - reach;
              if (from_y < 0 || from_x < 0 || from_y >= in.height || from_x >= in.width) continue;
              const int at = ((o * in.channels + c) * kernel + ky) * kernel + kx;
              sum += weight[static_cast<std::size_t>(at)] * in.At(c, from_y, from_x);
            }
          }
        }
        out.At(o, y, x) = sum;
      }
    }
  }
  return out;
}

Planes GroupNorm(const LoadedModel& model, const std::string& name, Planes in) {
  const auto weight = model.Values(name + ".weight"), bias = model.Values(name + ".bias");
  const int group = in.channels / kNormGroups;
  const int count = group * in.height * in.width;
  for (int first = 0; first < in.channels; first += group) {
    double* values = &in.At(first, 0, 0);
    double mean = 0, variance = 0;
    for (int i = 0; i < count; ++i) mean += values[i] / count;
    for (int i = 0; i < count; ++i) variance += (values[i] - mean) * (values[i] - mean) / count;
    for (int i = 0; i < count; ++i) {
      const auto channel = static_cast<std::size_t>(first + i / (in.height * in.width));
      values[i] = (values[i] - mean) / std::sqrt(variance + 1e-6) * weight[channel] + bias[channel];
    }
  }
  return in;
}

Planes NormAndConv(const LoadedModel& model, const std::string& norm, const std::string& conv,
                   const Planes& in) {
  Planes out = GroupNorm(model, norm, in);
  for (double& v : out.values) v = v / (1 + std::exp(-v));
  return Conv(model, conv, out);
}

Planes Sum(Planes a, const Planes& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] += b.values[i];
  return a;
}

Planes ResBlock(const LoadedModel& model, const std::string& name, const Planes& in) {
  Planes out = NormAndConv(model, name + ".norm1", name + ".conv1", in);
  out = NormAndConv(model, name + ".norm2", name + ".conv2", out);
  return Sum(out, in.channels == out.channels ? in : Conv(model, name + ".nin_shortcut", in));
}

Planes Attention(const LoadedModel& model, const std::string& name, const Planes& in) {
  const Planes norm = GroupNorm(model, name + ".norm", in);
  const Planes q = Conv(model, name + ".q", norm), k = Conv(model, name + ".k", norm),
               v = Conv(model, name + ".v", norm);
  const int pixels = in.height * in.width;
  Planes mixed = Zeros(in.channels, in.height, in.width);
  for (int to = 0; to < pixels; ++to) {
    std::vector<double> weight;
    double sum = 0;
    for (int from = 0; from < pixels; ++from) {
      double dot = 0;
      for (int c = 0; c < in.channels; ++c) dot += q.At(c, 0, to) * k.At(c, 0, from);
      weight.push_back(std::exp(dot / std::sqrt(in.channels)));
      sum += weight.back();
    }
    for (int from = 0; from < pixels; ++from) {
      for (int c = 0; c < in.channels; ++c) {
        mixed.At(c, 0, to) += weight[static_cast<std::size_t>(from)] / sum * v.At(c, 0, from);
      }
    }
  }
  return Sum(Conv(model, name + ".proj_out", mixed), in);
}

Planes Doubled(const Planes& in) {
  Planes out = Zeros(in.channels, 2 * in.height, 2 * in.width);
  for (int c = 0; c < out.channels; ++c) {
    for (int y = 0; y < out.height; ++y) {
      for (int x = 0; x < out.width; ++x) out.At(c, y, x) = in.At(c, y / 2, x / 2);
    }
  }
  return out;
}

constexpr int kHeight = 2, kWidth = 3;  // unlike each other, to catch swapped axes

using BuildPart = std::function<ggml_tensor*(const VaeBuild& build, ggml_tensor* in)>;

std::vector<float> RunPart(const LoadedModel& model, const std::vector<float>& values, int channels,
                           bool direct, const BuildPart& part) {
  const GgmlContext inputs(ggml_init({2 * ggml_tensor_overhead(), nullptr, true}));
  ggml_tensor* in = ggml_new_tensor_3d(inputs.get(), GGML_TYPE_F32, kWidth, kHeight, channels);
  const BackendBuffer buffer(ggml_backend_alloc_ctx_tensors(inputs.get(), model.backend.get()));
  ggml_backend_tensor_set(in, values.data(), 0, ggml_nbytes(in));
  const GgmlContext context(
      ggml_init({2048 * ggml_tensor_overhead() + ggml_graph_overhead(), nullptr, true}));
  ggml_tensor* out = part({context.get(), model.weights, direct}, in);
  ggml_cgraph* graph = ggml_new_graph(context.get());
  ggml_build_forward_expand(graph, out);
  ggml_gallocr* allocator =
      ggml_gallocr_new(ggml_backend_get_default_buffer_type(model.backend.get()));
  EXPECT_TRUE(ggml_gallocr_alloc_graph(allocator, graph));
  EXPECT_EQ(ggml_backend_graph_compute(model.backend.get(), graph), GGML_STATUS_SUCCESS);
  std::vector<float> result(static_cast<std::size_t>(ggml_nelements(out)));
  ggml_backend_tensor_get(out, result.data(), 0, ggml_nbytes(out));
  ggml_gallocr_free(allocator);
  return result;
}

void ExpectPart(int channels, const BuildPart& part,
                const std::function<Planes(const LoadedModel&, const Planes&)>& reference) {
  const LoadedModel model;
  const auto values = Noise(5, static_cast<std::size_t>(channels * kHeight * kWidth));
  const Planes expected = reference(
      model, {channels, kHeight, kWidth, std::vector<double>(values.begin(), values.end())});
  for (const bool direct : {true, false}) {
    const auto got = RunPart(model, values, channels, direct, part);
    ASSERT_EQ(got.size(), expected.values.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      // Unfolded patches are f16; how their sums are rounded differs between generations of CPUs.
      ASSERT_NEAR(got[i], expected.values[i], direct ? 1e-3 : 8e-3)
          << "at " << i << ", direct " << direct;
    }
  }
}

TEST(VaeGraph, ResBlockThatChangesChannels) {
  const std::string name = "first_stage_model.decoder.up.1.block.0";  // 64 to 32
  ExpectPart(
      64, [&](const VaeBuild& build, ggml_tensor* in) { return BuildVaeResBlock(build, name, in); },
      [&](const LoadedModel& model, const Planes& in) { return ResBlock(model, name, in); });
}

TEST(VaeGraph, ResBlockThatKeepsChannels) {
  const std::string name = "first_stage_model.decoder.mid.block_1";
  ExpectPart(
      64, [&](const VaeBuild& build, ggml_tensor* in) { return BuildVaeResBlock(build, name, in); },
      [&](const LoadedModel& model, const Planes& in) { return ResBlock(model, name, in); });
}

TEST(VaeGraph, SingleHeadAttention) {
  const std::string name = "first_stage_model.decoder.mid.attn_1";
  ExpectPart(
      64,
      [&](const VaeBuild& build, ggml_tensor* in) { return BuildVaeAttention(build, name, in); },
      [&](const LoadedModel& model, const Planes& in) { return Attention(model, name, in); });
}

TEST(VaeGraph, UpsamplingByNearestNeighbour) {
  const std::string name = "first_stage_model.decoder.up.3.upsample";
  ExpectPart(
      64, [&](const VaeBuild& build, ggml_tensor* in) { return BuildVaeUpsample(build, name, in); },
      [&](const LoadedModel& model, const Planes& in) {
        return Conv(model, name + ".conv", Doubled(in));
      });
}

TEST(VaeGraph, TheWholeDecoder) {
  const std::string decoder = "first_stage_model.decoder.";
  const auto reference = [&](const LoadedModel& model, const Planes& in) {
    Planes out = Conv(model, decoder + "conv_in", in);
    out = ResBlock(model, decoder + "mid.block_1", out);
    out = Attention(model, decoder + "mid.attn_1", out);
    out = ResBlock(model, decoder + "mid.block_2", out);
    for (int level = 3; level >= 0; --level) {
      const std::string up = fmt::format("{}up.{}", decoder, level);
      for (int i = 0; i < 3; ++i) out = ResBlock(model, fmt::format("{}.block.{}", up, i), out);
      if (level > 0) out = Conv(model, up + ".upsample.conv", Doubled(out));
    }
    return NormAndConv(model, decoder + "norm_out", decoder + "conv_out", out);
  };
  ExpectPart(16, BuildVaeDecoder, reference);
}

}  // namespace
}  // namespace cbench::embedded
