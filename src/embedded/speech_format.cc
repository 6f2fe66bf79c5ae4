#include "embedded/speech_format.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace cbench::embedded {
namespace {

// Collects the tensors of one shape; the methods follow the network's parts.
class TensorList {
 public:
  TensorList(const WhisperShape& shape, ggml_type weights)
      : weights_(weights),
        convolution_(weights == GGML_TYPE_F32 ? GGML_TYPE_F32 : GGML_TYPE_F16),
        width_(shape.state) {
    Encoder(shape);
    Decoder(shape);
  }
  std::vector<WhisperTensor> Take() { return std::move(tensors_); }

 private:
  void Add(std::string name, ggml_type type, std::vector<std::int64_t> sizes, Fill fill) {
    tensors_.push_back({std::move(name), type, std::move(sizes), fill});
  }
  void Norm(const std::string& name) {
    Add(name + ".weight", GGML_TYPE_F32, {width_}, Fill::kOnes);
    Add(name + ".bias", GGML_TYPE_F32, {width_}, Fill::kZeros);
  }
  void Linear(const std::string& name, std::int64_t in, std::int64_t out, bool bias = true) {
    Add(name + ".weight", weights_, {in, out}, Fill::kRandom);
    if (bias) Add(name + ".bias", GGML_TYPE_F32, {out}, Fill::kZeros);
  }
  void Convolution(const std::string& name, std::int64_t in) {
    Add(name + ".weight", convolution_, {3, in, width_}, Fill::kRandom);
    Add(name + ".bias", GGML_TYPE_F32, {1, width_}, Fill::kZeros);
  }
  void Attention(const std::string& name) {
    Norm(name + "_ln");
    Linear(name + ".query", width_, width_);
    Linear(name + ".key", width_, width_, /*bias=*/false);
    Linear(name + ".value", width_, width_);
    Linear(name + ".out", width_, width_);
  }
  void Mlp(const std::string& block) {
    Norm(block + "mlp_ln");
    Linear(block + "mlp.0", width_, 4 * width_);
    Linear(block + "mlp.2", 4 * width_, width_);
  }
  void Encoder(const WhisperShape& shape) {
    Add("encoder.positional_embedding", GGML_TYPE_F32, {width_, shape.audio_context},
        Fill::kSinusoid);
    Convolution("encoder.conv1", shape.mels);
    Convolution("encoder.conv2", width_);
    Norm("encoder.ln_post");
    for (int layer = 0; layer < shape.audio_layers; ++layer) {
      const std::string block = "encoder.blocks." + std::to_string(layer) + ".";
      Attention(block + "attn");
      Mlp(block);
    }
  }
  void Decoder(const WhisperShape& shape) {
    Add("decoder.positional_embedding", GGML_TYPE_F32, {width_, shape.text_context}, Fill::kRandom);
    Linear("decoder.token_embedding", width_, shape.vocabulary, /*bias=*/false);
    Norm("decoder.ln");
    for (int layer = 0; layer < shape.text_layers; ++layer) {
      const std::string block = "decoder.blocks." + std::to_string(layer) + ".";
      Attention(block + "attn");
      Attention(block + "cross_attn");
      Mlp(block);
    }
  }

  ggml_type weights_, convolution_;
  std::int64_t width_;
  std::vector<WhisperTensor> tensors_;
};

constexpr double kMelBreakHz = 1000, kMelPerHz = 3.0 / 200, kMelBreak = kMelBreakHz * kMelPerHz;
const double kMelLogStep = std::log(6.4) / 27;  // above the break, per mel

double HzFromMel(double mel) {
  return mel < kMelBreak ? mel / kMelPerHz
                         : kMelBreakHz * std::exp((mel - kMelBreak) * kMelLogStep);
}

double MelFromHz(double hz) {
  return hz < kMelBreakHz ? hz * kMelPerHz : kMelBreak + std::log(hz / kMelBreakHz) / kMelLogStep;
}

}  // namespace

std::int64_t WhisperTensor::Elements() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

std::uint64_t WhisperTensor::Bytes() const {
  return ggml_row_size(type, sizes[0]) * static_cast<std::uint64_t>(Rows());
}

std::vector<WhisperTensor> WhisperTensors(const WhisperShape& shape, ggml_type weights) {
  return TensorList(shape, weights).Take();
}

std::int64_t CountParameters(const WhisperShape& shape) {
  std::int64_t count = 0;
  for (const WhisperTensor& tensor : WhisperTensors(shape, GGML_TYPE_F16)) {
    count += tensor.Elements();
  }
  return count;
}

std::vector<float> MelFilters(int mels) {
  constexpr double kTop = kSampleRate / 2.0;
  std::vector<double> edges(static_cast<std::size_t>(mels) + 2);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i] = HzFromMel(MelFromHz(kTop) * static_cast<double>(i) / (mels + 1));
  }
  std::vector<float> filters;
  for (std::size_t mel = 0; mel + 2 < edges.size(); ++mel) {
    const double low = edges[mel], middle = edges[mel + 1], high = edges[mel + 2];
    for (int bin = 0; bin < kMelBins; ++bin) {
      const double hz = kTop * bin / (kMelBins - 1);
      const double height = std::min((hz - low) / (middle - low), (high - hz) / (high - middle));
      filters.push_back(static_cast<float>(std::max(0.0, height) * 2 / (high - low)));
    }
  }
  return filters;
}

std::vector<float> SinusoidPositions(int state, int positions) {
  const int half = state / 2;
  std::vector<float> table;
  for (int position = 0; position < positions; ++position) {
    for (int i = 0; i < state; ++i) {
      const double frequency = std::exp(-std::log(10000.0) * (i % half) / (half - 1));
      const double angle = position * frequency;
      table.push_back(static_cast<float>(i < half ? std::sin(angle) : std::cos(angle)));
    }
  }
  return table;
}

}  // namespace cbench::embedded
