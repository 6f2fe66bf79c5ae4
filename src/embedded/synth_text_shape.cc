#include "embedded/synth_text_shape.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace cbench::embedded {
namespace {

constexpr char kLlamaVocabulary[] = "ggml-vocab-llama-bpe.gguf";
constexpr char kQwenVocabulary[] = "ggml-vocab-qwen2.gguf";

// A gain of 2 keeps attention and gates in the range trained models use; the embedding's 4 spreads
// the logits so that the likeliest token differs from one step to the next.
constexpr float kGain = 2, kEmbeddingGain = 4;

TextShape Llama(const char* name, const char* summary, std::uint32_t width, std::uint32_t layers,
                std::uint32_t heads, std::uint32_t kv_heads, std::uint32_t head_size,
                std::uint32_t ffn) {
  return {name,     summary,   "llama", kLlamaVocabulary, 128256,    width, layers, heads,
          kv_heads, head_size, ffn,     131072,           500000.0f, 1e-5f, true};
}

TextShape Qwen3(const char* name, const char* summary, std::uint32_t width, std::uint32_t layers,
                std::uint32_t heads, std::uint32_t kv_heads, std::uint32_t head_size,
                std::uint32_t ffn) {
  return {name,     summary,   "qwen3", kQwenVocabulary, 151936,     width, layers, heads,
          kv_heads, head_size, ffn,     40960,           1000000.0f, 1e-6f, false};
}

ggml_type TypeOf(const std::string& quant) {
  if (quant == "f16") return GGML_TYPE_F16;
  return quant == "q8_0" ? GGML_TYPE_Q8_0 : GGML_TYPE_Q4_0;
}

// llama-quantize keeps a tied embedding at 6 bits in its 4-bit files.
ggml_type EmbeddingType(const TextShape& shape, const std::string& quant) {
  const ggml_type type = TypeOf(quant);
  return type == GGML_TYPE_Q4_0 && shape.width % 256 == 0 ? GGML_TYPE_Q6_K : type;
}

void AddLayer(const TextShape& shape, ggml_type type, std::uint32_t layer,
              std::vector<TextTensor>& out) {
  const std::int64_t width = shape.width, ffn = shape.ffn, head = shape.head_size;
  const std::int64_t query = head * shape.heads, key = head * shape.kv_heads;
  const auto add = [&](const char* part, ggml_type t, std::int64_t w, std::int64_t rows, float g) {
    out.push_back({fmt::format("blk.{}.{}.weight", layer, part), t, w, rows, g});
  };
  add("attn_norm", GGML_TYPE_F32, width, 1, 0);
  add("attn_q", type, width, query, kGain);
  add("attn_k", type, width, key, kGain);
  add("attn_v", type, width, key, kGain);
  add("attn_output", type, query, width, kGain);
  if (shape.architecture == "qwen3") {
    add("attn_q_norm", GGML_TYPE_F32, head, 1, 0);
    add("attn_k_norm", GGML_TYPE_F32, head, 1, 0);
  }
  add("ffn_norm", GGML_TYPE_F32, width, 1, 0);
  add("ffn_gate", type, width, ffn, kGain);
  add("ffn_up", type, width, ffn, kGain);
  add("ffn_down", type, ffn, width, kGain);
}

}  // namespace

const std::vector<TextShape>& TextShapes() {
  static const std::vector<TextShape> shapes = {
      Llama("llama-3.2-1b", "Llama 3.2 1B's shape", 2048, 16, 32, 8, 64, 8192),
      Llama("llama-3.2-1b-demo", "the same, shrunk for two cores", 512, 6, 8, 2, 64, 2048),
      Llama("llama-3.2-3b", "Llama 3.2 3B's shape", 3072, 28, 24, 8, 128, 8192),
      Llama("llama-3.2-3b-demo", "the same, shrunk for two cores", 768, 8, 6, 2, 128, 2048),
      Qwen3("qwen3-0.6b", "Qwen3 0.6B's shape", 1024, 28, 16, 8, 128, 3072),
      Qwen3("qwen3-0.6b-demo", "the same, shrunk for two cores", 512, 6, 8, 4, 128, 1536),
      Llama("llama-test", "a few MiB with a real vocabulary, for tests", 64, 2, 2, 1, 32, 128),
      Qwen3("qwen3-test", "the same in the other architecture", 64, 2, 2, 1, 64, 128),
  };
  return shapes;
}

std::vector<TextTensor> Tensors(const TextShape& shape, const std::string& quant) {
  std::vector<TextTensor> tensors;
  if (shape.llama3_rope) {
    tensors.push_back({"rope_freqs.weight", GGML_TYPE_F32, shape.head_size / 2, 1, 0});
  }
  tensors.push_back(
      {"token_embd.weight", EmbeddingType(shape, quant), shape.width, shape.vocab, kEmbeddingGain});
  tensors.push_back({"output_norm.weight", GGML_TYPE_F32, shape.width, 1, 0});
  for (std::uint32_t layer = 0; layer < shape.layers; ++layer) {
    AddLayer(shape, TypeOf(quant), layer, tensors);
  }
  return tensors;
}

// "llama3" rope scaling with Llama 3.2's values: wavelengths over `original` are stretched 32
// times, those under a quarter of it not at all, and in between the two are mixed linearly.
std::vector<float> Llama3RopeFactors(float base, std::uint32_t head_size) {
  constexpr float kFactor = 32, kOriginal = 8192, kLow = 1, kHigh = 4;
  std::vector<float> factors;
  for (std::uint32_t i = 0; i < head_size / 2; ++i) {
    const float exponent = 2.0f * static_cast<float>(i) / static_cast<float>(head_size);
    const float wavelength = 2 * std::numbers::pi_v<float> * std::pow(base, exponent);
    const float smooth = (kOriginal / wavelength - kLow) / (kHigh - kLow);
    const float mixed = std::min(1.0f, std::max(0.0f, smooth));
    factors.push_back(1 / ((1 - mixed) / kFactor + mixed));
  }
  return factors;
}

}  // namespace cbench::embedded
