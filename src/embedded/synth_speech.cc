// Synthetic speech models: Whisper's exact architectures with random weights, in whisper.cpp's
// file format, written front to back in pieces of a few MiB.
//
// The demo sizes keep what an application notices (vocabulary, mel count, 30 s window, the ratio
// of encoder to decoder depth, heads of 64) and shrink width and depth, so that a caption on two
// CPU cores takes about as long as the full size does on a laptop's GPU.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>

#include "embedded/speech_format.h"
#include "embedded/speech_vocab.h"
#include "embedded/synth_random.h"

namespace cbench::embedded {
namespace {

struct Size {
  const char* name;
  const char* summary;
  const char* default_quant;
  WhisperShape shape;
};

constexpr Size kSizes[] = {
    {"whisper-tiny", "Whisper tiny, 38 M parameters", "f16", {51865, 384, 6, 4, 6, 4, 80}},
    {"whisper-base", "Whisper base, 73 M parameters", "f16", {51865, 512, 8, 6, 8, 6, 80}},
    {"whisper-large-v3-turbo",
     "Whisper large-v3-turbo, 809 M parameters",
     "q8_0",
     {51866, 1280, 20, 32, 20, 4, 128}},
    {"whisper-tiny-demo", "demo size of whisper-tiny", "q8_0", {51865, 256, 4, 2, 4, 2, 80}},
    {"whisper-base-demo", "demo size of whisper-base", "q8_0", {51865, 320, 5, 3, 5, 3, 80}},
    {"whisper-large-v3-turbo-demo",
     "demo size of whisper-large-v3-turbo",
     "q8_0",
     {51866, 448, 7, 8, 7, 1, 128}},
    {"whisper-test", "smallest shape, for tests only", "q4_0", {51865, 64, 1, 1, 1, 1, 80}},
};

struct Quant {
  const char* name;
  ggml_type type;
  int file_type;  // whisper.cpp's code; quantised ones carry the block layouts' version
};

constexpr int kQuantised = GGML_QNT_VERSION * GGML_QNT_VERSION_FACTOR;
constexpr Quant kQuants[] = {
    {"f16", GGML_TYPE_F16, GGML_FTYPE_MOSTLY_F16},
    {"q8_0", GGML_TYPE_Q8_0, kQuantised + GGML_FTYPE_MOSTLY_Q8_0},
    {"q5_0", GGML_TYPE_Q5_0, kQuantised + GGML_FTYPE_MOSTLY_Q5_0},
    {"q4_0", GGML_TYPE_Q4_0, kQuantised + GGML_FTYPE_MOSTLY_Q4_0},
};

// Both lookups are given names out of our own tables (ResolveModel has checked the user's).
template <typename Entry, std::size_t kCount>
const Entry& Named(const Entry (&table)[kCount], const std::string& name) {
  return *std::find_if(std::begin(table), std::end(table),
                       [&](const Entry& entry) { return entry.name == name; });
}

constexpr std::uint64_t kVocabularyBytes = 530'000;  // lengths and bytes, near enough
constexpr std::size_t kPieceBytes = 4u << 20;
constexpr float kSigma = 0.02f;
constexpr std::uint64_t kSeed = 0x776869737065720a;

// The file being written. The first failed write is remembered and ends everything.
class ModelFile {
 public:
  ModelFile(const std::filesystem::path& path, std::uint64_t total, const Progress& progress)
      : path_(path), total_(total), progress_(progress), file_(std::fopen(path.c_str(), "wb")) {}
  ~ModelFile() {
    if (file_) std::fclose(file_);
  }
  ModelFile(const ModelFile&) = delete;
  ModelFile& operator=(const ModelFile&) = delete;

  Result<> Write(std::span<const char> bytes) {
    if (!file_ || std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) return Fail();
    done_ += bytes.size();
    if (progress_) progress_(std::min(done_, total_), total_);
    return {};
  }
  Result<> Close() {
    const int failed = std::fclose(std::exchange(file_, nullptr));
    return failed ? Fail() : Result<>();
  }

 private:
  Result<> Fail() const {
    return Failure("cannot write {}: {}; free disk space or set CBENCH_CACHE to another folder",
                   path_.string(), std::strerror(errno));
  }

  std::filesystem::path path_;
  std::uint64_t done_ = 0, total_;
  const Progress& progress_;
  std::FILE* file_;
};

// Small parts of the file are put together in memory first.
class Bytes {
 public:
  void Int(std::int64_t value) {
    const auto narrow = static_cast<std::int32_t>(value);
    bytes_.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
  }
  void Text(const std::string& text) { bytes_ += text; }
  void Floats(const std::vector<float>& values) {
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  }
  std::span<const char> view() const { return bytes_; }

 private:
  std::string bytes_;
};

Bytes Header(const WhisperShape& s, int file_type) {
  Bytes out;
  for (const std::int64_t value :
       {std::int64_t{kWhisperMagic}, std::int64_t{s.vocabulary}, std::int64_t{s.audio_context},
        std::int64_t{s.state}, std::int64_t{s.audio_heads}, std::int64_t{s.audio_layers},
        std::int64_t{s.text_context}, std::int64_t{s.state}, std::int64_t{s.text_heads},
        std::int64_t{s.text_layers}, std::int64_t{s.mels}, std::int64_t{file_type},
        std::int64_t{s.mels}, std::int64_t{kMelBins}}) {
    out.Int(value);
  }
  out.Floats(MelFilters(s.mels));
  return out;
}

Bytes Vocabulary(const std::vector<std::string>& tokens) {
  Bytes out;
  out.Int(static_cast<std::int64_t>(tokens.size()));
  for (const std::string& token : tokens) {
    out.Int(static_cast<std::int64_t>(token.size()));
    out.Text(token);
  }
  return out;
}

Bytes TensorHeader(const WhisperTensor& tensor) {
  Bytes out;
  out.Int(static_cast<std::int64_t>(tensor.sizes.size()));
  out.Int(static_cast<std::int64_t>(tensor.name.size()));
  out.Int(tensor.type);
  for (const std::int64_t size : tensor.sizes) out.Int(size);
  out.Text(tensor.name);
  return out;
}

Result<> WriteRandom(ModelFile& file, const WhisperTensor& tensor, std::uint64_t seed) {
  const std::int64_t width = tensor.sizes[0];
  const auto piece = static_cast<std::int64_t>(
      std::max<std::size_t>(1, kPieceBytes / ggml_row_size(tensor.type, width)));
  for (std::int64_t row = 0; row < tensor.Rows(); row += piece) {
    const std::int64_t rows = std::min(piece, tensor.Rows() - row);
    CBENCH_TRY(file.Write(RandomRows(tensor.type, width, row, rows, kSigma, seed)));
  }
  return {};
}

Result<> WriteTensor(ModelFile& file, const WhisperTensor& tensor, std::uint64_t seed) {
  CBENCH_TRY(file.Write(TensorHeader(tensor).view()));
  if (tensor.fill == Fill::kRandom) return WriteRandom(file, tensor, seed);
  Bytes values;
  if (tensor.fill == Fill::kSinusoid) {
    values.Floats(
        SinusoidPositions(static_cast<int>(tensor.sizes[0]), static_cast<int>(tensor.sizes[1])));
  } else {
    const float value = tensor.fill == Fill::kOnes ? 1.0f : 0.0f;
    values.Floats(std::vector<float>(static_cast<std::size_t>(tensor.Elements()), value));
  }
  return file.Write(values.view());
}

std::uint64_t FileBytes(const SynthModel& model, const std::string& quant) {
  const WhisperShape& shape = Named(kSizes, model.name).shape;
  std::uint64_t bytes = Header(shape, 0).view().size() + kVocabularyBytes;
  for (const WhisperTensor& tensor : WhisperTensors(shape, Named(kQuants, quant).type)) {
    bytes += TensorHeader(tensor).view().size() + tensor.Bytes();
  }
  return bytes;
}

Result<> WriteModel(const SynthModel& model, const std::string& quant,
                    const std::filesystem::path& path, const Progress& progress) {
  const WhisperShape& shape = Named(kSizes, model.name).shape;
  const Quant& type = Named(kQuants, quant);
  CBENCH_ASSIGN(const auto tokens, SyntheticVocabulary());
  ModelFile file(path, FileBytes(model, quant), progress);
  CBENCH_TRY(file.Write(Header(shape, type.file_type).view()));
  CBENCH_TRY(file.Write(Vocabulary(tokens).view()));
  std::uint64_t seed = kSeed;
  for (const WhisperTensor& tensor : WhisperTensors(shape, type.type)) {
    CBENCH_TRY(WriteTensor(file, tensor, seed += 0x9E3779B97F4A7C15ull));
  }
  return file.Close();
}

}  // namespace

std::vector<SynthModel> SpeechSynthModels() {
  std::vector<std::string> quants;
  for (const Quant& quant : kQuants) quants.emplace_back(quant.name);
  std::vector<SynthModel> models;
  for (const Size& size : kSizes) {
    models.push_back(
        {size.name, "speech", size.summary, size.default_quant, quants, FileBytes, WriteModel});
  }
  return models;
}

}  // namespace cbench::embedded
