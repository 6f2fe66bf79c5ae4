// The shapes of the synthetic text models and the tensors they consist of.
#pragma once

#include <ggml.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cbench::embedded {

// One decoder-only transformer as libllama's "llama" or "qwen3" architecture; the token embedding
// is also the output matrix (tied), as in the models of this size.
struct TextShape {
  std::string name;
  std::string summary;
  std::string architecture;  // "llama", "qwen3"
  std::string vocabulary;    // file below CBENCH_VOCAB_DIR
  std::uint32_t vocab = 0, width = 0, layers = 0, heads = 0, kv_heads = 0, head_size = 0, ffn = 0;
  std::uint32_t context = 0;
  float rope_base = 0, norm_epsilon = 0;
  bool llama3_rope = false;  // frequencies stretched by the factors of Llama 3.2
};
const std::vector<TextShape>& TextShapes();

// A tensor of `rows` rows of `width` values. `gain` > 0: random with standard deviation
// gain / sqrt(width), so that activations keep their size whatever the width; 0: all ones.
struct TextTensor {
  std::string name;
  ggml_type type;
  std::int64_t width, rows;
  float gain;
};
std::vector<TextTensor> Tensors(const TextShape& shape, const std::string& quant);

// The factors by which Llama 3.2 divides its rotary frequencies, one per pair of a head's values.
std::vector<float> Llama3RopeFactors(float base, std::uint32_t head_size);

}  // namespace cbench::embedded
