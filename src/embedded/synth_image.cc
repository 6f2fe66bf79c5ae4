#include "embedded/synth_image.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "embedded/image_tensors.h"
#include "embedded/image_weights.h"
#include "embedded/synth_random.h"

namespace cbench::embedded {
namespace {

constexpr std::int64_t kPieceValues = 2 << 20;
constexpr char kDefaultQuant[] = "q8_0";

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

Result<ggml_type> ParseQuant(const std::string& quant) {
  for (const auto type : {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_Q8_0, GGML_TYPE_Q4_0}) {
    if (quant == ggml_type_name(type)) return type;
  }
  return InputError("quant: '{}' is not one of q8_0, q4_0, f16, f32", quant);
}

// Names, shapes and offsets, no data.
Result<> WriteHeader(std::FILE* out, const ImageDims& dims, const std::vector<TensorSpec>& tensors,
                     const std::string& path) {
  const GgmlContext context(
      ggml_init({tensors.size() * ggml_tensor_overhead() + 1024, nullptr, true}));
  const GgufFile file(gguf_init_empty());
  WriteDims(dims, file.get());
  for (const TensorSpec& spec : tensors) {
    const int rank = spec.shape[2] > 1 || spec.shape[3] > 1 ? 4 : spec.shape[1] > 1 ? 2 : 1;
    auto* tensor = ggml_new_tensor(context.get(), spec.type, rank, spec.shape.data());
    ggml_set_name(tensor, spec.name.c_str());
    gguf_add_tensor(file.get(), tensor);
  }
  std::vector<char> header(gguf_get_meta_size(file.get()));
  gguf_get_meta_data(file.get(), header.data());
  if (std::fwrite(header.data(), 1, header.size(), out) == header.size()) return {};
  return Failure("{}: {}", path, std::strerror(errno));
}

std::vector<char> Piece(const TensorSpec& spec, std::int64_t width, std::int64_t first,
                        std::int64_t rows, std::uint64_t seed) {
  if (spec.sigma > 0) return RandomRows(spec.type, width, first, rows, spec.sigma, seed);
  const std::vector<float> values(static_cast<std::size_t>(width * rows), spec.mean);
  std::vector<char> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// A convolution's kernel is contiguous, so one output channel serves as a row.
Result<> WriteTensor(std::FILE* out, const TensorSpec& spec, std::uint64_t seed,
                     const std::string& path, const Progress& progress, std::uint64_t& done,
                     std::uint64_t total) {
  const bool kernel = spec.shape[3] > 1 || spec.shape[2] > 1;
  const std::int64_t width = kernel ? spec.shape[0] * spec.shape[1] * spec.shape[2] : spec.shape[0];
  const std::int64_t rows = spec.Elements() / width;
  const std::int64_t step = std::max<std::int64_t>(1, kPieceValues / width);
  for (std::int64_t first = 0; first < rows; first += step) {
    const auto bytes = Piece(spec, width, first, std::min(step, rows - first), seed);
    if (std::fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size()) {
      return Failure("{}: {}", path, std::strerror(errno));
    }
    done += bytes.size();
    if (progress) progress(done, total);
  }
  static constexpr char kZeros[GGUF_DEFAULT_ALIGNMENT] = {};
  const std::size_t padding = GGML_PAD(spec.Bytes(), GGUF_DEFAULT_ALIGNMENT) - spec.Bytes();
  if (std::fwrite(kZeros, 1, padding, out) == padding) return {};
  return Failure("{}: {}", path, std::strerror(errno));
}

std::uint64_t TotalBytes(const std::vector<TensorSpec>& tensors) {
  std::uint64_t total = 0;
  for (const TensorSpec& spec : tensors) total += spec.Bytes();
  return total;
}

std::uint64_t ModelBytes(const SynthModel& model, const std::string& quant) {
  const ImageDims* dims = FindImageDims(model.name);
  const auto type = ParseQuant(quant.empty() ? kDefaultQuant : quant);
  return dims && type ? TotalBytes(ImageTensors(*dims, *type)) : 0;
}

Result<> WriteModel(const SynthModel& model, const std::string& quant,
                    const std::filesystem::path& path, const Progress& progress) {
  return WriteImageModel(*FindImageDims(model.name), quant.empty() ? kDefaultQuant : quant, path,
                         progress);
}

std::string Summary(const ImageDims& dims) {
  return fmt::format("MMDiT-X {} blocks × {}, VAE decoder {} channels, {} steps, guidance {}",
                     dims.mmdit.depth, dims.mmdit.width, dims.vae.channels[3], dims.default_steps,
                     dims.default_guidance);
}

}  // namespace

Result<> WriteImageModel(const ImageDims& dims, const std::string& quant,
                         const std::filesystem::path& path, const Progress& progress) {
  CBENCH_ASSIGN(const ggml_type type, ParseQuant(quant));
  const auto tensors = ImageTensors(dims, type);
  File out(std::fopen(path.c_str(), "wbe"));
  if (!out) return Failure("{}: {}", path.string(), std::strerror(errno));
  CBENCH_TRY(WriteHeader(out.get(), dims, tensors, path.string()));
  const std::uint64_t total = TotalBytes(tensors);
  std::uint64_t done = 0, seed = 0;
  for (const TensorSpec& spec : tensors) {
    CBENCH_TRY(WriteTensor(out.get(), spec, ++seed * 0x9E3779B97F4A7C15ull, path.string(), progress,
                           done, total));
  }
  if (std::fclose(out.release()) == 0) return {};
  return Failure("{}: {}", path.string(), std::strerror(errno));
}

std::vector<SynthModel> ImageSynthModels() {
  std::vector<SynthModel> models;
  for (const ImageDims& dims : ImageModels()) {
    models.push_back({.name = dims.name,
                      .family = "image",
                      .summary = Summary(dims),
                      .default_quant = kDefaultQuant,
                      .quants = {"q8_0", "q4_0", "f16"},
                      .bytes = ModelBytes,
                      .write = WriteModel});
  }
  return models;
}

}  // namespace cbench::embedded
