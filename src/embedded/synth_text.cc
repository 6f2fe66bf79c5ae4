// Writes a synthetic text model: a GGUF file in a known architecture with a real tokeniser and
// random weights. The header is written by ggml, the tensors are appended a few MiB at a time, so
// a model of any size needs little memory.
#include <fmt/format.h>
#include <ggml.h>
#include <gguf.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "embedded/synth_random.h"
#include "embedded/synth_text_shape.h"
#include "embedded/vocabulary_file.h"

namespace cbench::embedded {
namespace {

constexpr std::int64_t kPieceBytes = 8 << 20;
constexpr std::uint64_t kHeaderBytes = 12u << 20;  // mostly the vocabulary
constexpr std::uint64_t kSeed = 20261201;

// Messages in the format of the Llama 3 model card, and in ChatML.
constexpr char kLlamaTemplate[] =
    "{{ bos_token }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
    "{{ m.content | trim }}<|eot_id|>{% endfor %}{% if add_generation_prompt %}"
    "<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}";
constexpr char kQwenTemplate[] =
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

struct GgmlDeleter {
  void operator()(ggml_context* context) const { ggml_free(context); }
};

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

const TextShape& ShapeOf(const SynthModel& model) {
  const auto& shapes = TextShapes();
  return *std::find_if(shapes.begin(), shapes.end(),
                       [&](const TextShape& shape) { return shape.name == model.name; });
}

// Copies the tokeniser's keys, and only those, out of a vocabulary file.
Result<> CopyTokenizer(const TextShape& shape, gguf_context* out) {
  CBENCH_ASSIGN(const Gguf vocabulary, OpenVocabulary(shape.vocabulary, shape.vocab));
  const Gguf copy(gguf_init_empty());
  gguf_set_kv(copy.get(), vocabulary.get());
  for (std::int64_t i = gguf_get_n_kv(copy.get()) - 1; i >= 0; --i) {
    const std::string key = gguf_get_key(copy.get(), i);
    if (key.rfind("tokenizer.", 0) != 0) gguf_remove_key(copy.get(), key.c_str());
  }
  gguf_set_kv(out, copy.get());
  return {};
}

void DescribeShape(const TextShape& shape, gguf_context* out) {
  const auto key = [&](std::string_view name) {
    return fmt::format("{}.{}", shape.architecture, name);
  };
  const auto set = [&](std::string_view name, std::uint32_t value) {
    gguf_set_val_u32(out, key(name).c_str(), value);
  };
  gguf_set_val_str(out, "general.architecture", shape.architecture.c_str());
  gguf_set_val_str(out, "general.name", ("synthetic " + shape.name).c_str());
  gguf_set_val_bool(out, "cbench.synthetic", true);
  gguf_set_val_u32(out, "general.quantization_version", GGML_QNT_VERSION);
  set("vocab_size", shape.vocab);
  set("context_length", shape.context);
  set("embedding_length", shape.width);
  set("block_count", shape.layers);
  set("feed_forward_length", shape.ffn);
  set("attention.head_count", shape.heads);
  set("attention.head_count_kv", shape.kv_heads);
  set("attention.key_length", shape.head_size);
  set("attention.value_length", shape.head_size);
  set("rope.dimension_count", shape.head_size);
  gguf_set_val_f32(out, key("rope.freq_base").c_str(), shape.rope_base);
  gguf_set_val_f32(out, key("attention.layer_norm_rms_epsilon").c_str(), shape.norm_epsilon);
  const bool llama = shape.architecture == "llama";
  gguf_set_val_bool(out, "tokenizer.ggml.add_bos_token", llama);
  gguf_set_val_str(out, "tokenizer.chat_template", llama ? kLlamaTemplate : kQwenTemplate);
}

Result<> WriteHeader(const TextShape& shape, const std::vector<TextTensor>& tensors,
                     const std::string& path) {
  const Gguf header(gguf_init_empty());
  CBENCH_TRY(CopyTokenizer(shape, header.get()));
  DescribeShape(shape, header.get());
  const std::unique_ptr<ggml_context, GgmlDeleter> context(
      ggml_init({tensors.size() * ggml_tensor_overhead(), nullptr, /*no_alloc=*/true}));
  for (const TextTensor& tensor : tensors) {
    ggml_tensor* made =
        tensor.rows == 1
            ? ggml_new_tensor_1d(context.get(), tensor.type, tensor.width)
            : ggml_new_tensor_2d(context.get(), tensor.type, tensor.width, tensor.rows);
    ggml_set_name(made, tensor.name.c_str());
    gguf_add_tensor(header.get(), made);
  }
  if (!gguf_write_to_file(header.get(), path.c_str(), /*only_meta=*/true)) {
    return Failure("{}: the header could not be written", path);
  }
  return {};
}

std::uint64_t Bytes(const TextTensor& tensor) {
  const auto bytes =
      ggml_row_size(tensor.type, tensor.width) * static_cast<std::size_t>(tensor.rows);
  return GGML_PAD(bytes, GGUF_DEFAULT_ALIGNMENT);
}

std::uint64_t Bytes(const std::vector<TextTensor>& tensors) {
  std::uint64_t sum = 0;
  for (const TextTensor& tensor : tensors) sum += Bytes(tensor);
  return sum;
}

// Appends tensors to the file and reports how far it is.
class Appender {
 public:
  Appender(const TextShape& shape, std::FILE* file, std::uint64_t total, const Progress& progress)
      : shape_(shape), file_(file), total_(total), progress_(progress) {}

  bool Append(const TextTensor& tensor, std::uint64_t seed) {
    const std::uint64_t start = done_;
    const bool written = tensor.gain > 0 ? AppendRandom(tensor, seed) : AppendFixed(tensor);
    const std::vector<char> padding(Bytes(tensor) - (done_ - start));
    return written && Put(padding.data(), padding.size());
  }

 private:
  bool AppendRandom(const TextTensor& tensor, std::uint64_t seed) {
    const float sigma = tensor.gain / std::sqrt(static_cast<float>(tensor.width));
    const auto row = static_cast<std::int64_t>(ggml_row_size(tensor.type, tensor.width));
    const std::int64_t step = std::max<std::int64_t>(1, kPieceBytes / row);
    for (std::int64_t first = 0; first < tensor.rows; first += step) {
      const auto rows = RandomRows(tensor.type, tensor.width, first,
                                   std::min(step, tensor.rows - first), sigma, seed);
      if (!Put(rows.data(), rows.size())) return false;
    }
    return true;
  }

  bool AppendFixed(const TextTensor& tensor) {
    const auto values = tensor.name == "rope_freqs.weight"
                            ? Llama3RopeFactors(shape_.rope_base, shape_.head_size)
                            : std::vector<float>(static_cast<std::size_t>(tensor.width), 1.0f);
    return Put(values.data(), values.size() * sizeof(float));
  }

  bool Put(const void* data, std::size_t size) {
    if (size == 0) return true;
    done_ += size;
    if (progress_) progress_(done_, total_);
    return std::fwrite(data, 1, size, file_) == size;
  }

  const TextShape& shape_;
  std::FILE* file_;
  std::uint64_t done_ = 0, total_;
  const Progress& progress_;
};

std::uint64_t FileBytes(const SynthModel& model, const std::string& quant) {
  return kHeaderBytes + Bytes(Tensors(ShapeOf(model), quant));
}

Result<> Write(const SynthModel& model, const std::string& quant, const std::filesystem::path& path,
               const Progress& progress) {
  const TextShape& shape = ShapeOf(model);
  const auto tensors = Tensors(shape, quant);
  CBENCH_TRY(WriteHeader(shape, tensors, path.string()));
  std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "ab"));
  if (!file) return Failure("{}: {}", path.string(), std::strerror(errno));
  Appender appender(shape, file.get(), Bytes(tensors), progress);
  std::uint64_t seed = kSeed;
  for (const TextTensor& tensor : tensors) {
    if (!appender.Append(tensor, seed++)) {
      return Failure("{}: {}", path.string(), std::strerror(errno));
    }
  }
  if (std::fclose(file.release()) != 0) {
    return Failure("{}: {}", path.string(), std::strerror(errno));
  }
  return {};
}

}  // namespace

std::vector<SynthModel> TextSynthModels() {
  std::vector<SynthModel> models;
  for (const TextShape& shape : TextShapes()) {
    models.push_back(
        {shape.name, "text", shape.summary, "q4_0", {"q4_0", "q8_0", "f16"}, FileBytes, Write});
  }
  return models;
}

}  // namespace cbench::embedded
