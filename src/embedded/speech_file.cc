#include "embedded/speech_file.h"

#include <array>

#include "embedded/speech_format.h"

namespace cbench::embedded {
namespace {

constexpr std::int32_t kMostWidth = 1 << 20;  // of any hyper-parameter; real ones end at 52 000
constexpr std::int32_t kMostLayers = 256;
constexpr std::int32_t kMostName = 256;

class Walk {
 public:
  Walk(std::istream& in, std::uint64_t size, const std::string& name)
      : in_(in), size_(size), name_(name) {}

  Result<> Run() {
    CBENCH_TRY(Shape());
    CBENCH_TRY(Filters());
    CBENCH_TRY(Vocabulary());
    std::size_t tensors = 0;
    for (; at_ < size_; ++tensors) CBENCH_TRY(Tensor());
    const std::size_t wanted = WhisperTensors(shape_, GGML_TYPE_F16).size();
    if (tensors == wanted) return {};
    return InputError("{} holds {} of the {} tensors of its shape; copy or download it again",
                      name_, tensors, wanted);
  }

 private:
  // Little-endian, as the machines this runs on.
  Result<std::int32_t> Number(std::string_view what, std::int32_t least, std::int32_t most) {
    std::int32_t value = 0;
    if (!in_.read(reinterpret_cast<char*>(&value), sizeof value)) return Torn();
    at_ += sizeof value;
    if (value >= least && value <= most) return value;
    return InputError("{} is damaged: {} {} at byte {}; copy or download it again", name_, what,
                      value, at_ - sizeof value);
  }

  Result<> Skip(std::uint64_t bytes) {
    if (bytes > size_ - at_) return Torn();
    at_ += bytes;
    in_.seekg(static_cast<std::streamoff>(at_));
    return {};
  }

  tl::unexpected<Error> Torn() const {
    return InputError("{} was cut short after {} bytes; copy or download it again", name_, size_);
  }

  Result<> Shape() {
    CBENCH_TRY(Skip(sizeof kWhisperMagic));
    for (int* width : {&shape_.vocabulary, &shape_.audio_context, &shape_.state,
                       &shape_.audio_heads, &shape_.audio_layers, &shape_.text_context}) {
      const bool layers = width == &shape_.audio_layers;
      CBENCH_ASSIGN(*width, Number("hyper-parameter", 1, layers ? kMostLayers : kMostWidth));
    }
    CBENCH_TRY(Number("width of the decoder", 1, kMostWidth));
    CBENCH_ASSIGN(shape_.text_heads, Number("hyper-parameter", 1, kMostWidth));
    CBENCH_ASSIGN(shape_.text_layers, Number("hyper-parameter", 1, kMostLayers));
    CBENCH_ASSIGN(shape_.mels, Number("hyper-parameter", 1, kMostWidth));
    CBENCH_TRY(Number("number format", 0, 1 << 20));
    return {};
  }

  Result<> Filters() {
    CBENCH_ASSIGN(const auto mels, Number("count of mel bands", 1, kMostWidth));
    CBENCH_ASSIGN(const auto bins, Number("count of mel bins", 1, kMostWidth));
    return Skip(sizeof(float) * static_cast<std::uint64_t>(mels) *
                static_cast<std::uint64_t>(bins));
  }

  Result<> Vocabulary() {
    CBENCH_ASSIGN(const auto count, Number("count of tokens", 0, kMostWidth));
    for (int i = 0; i < count; ++i) {
      CBENCH_ASSIGN(const auto bytes, Number("length of a token", 0, kMostWidth));
      CBENCH_TRY(Skip(static_cast<std::uint64_t>(bytes)));
    }
    return {};
  }

  Result<> Tensor() {
    CBENCH_ASSIGN(const auto dimensions, Number("dimensions of a tensor", 1, 4));
    CBENCH_ASSIGN(const auto name, Number("length of a tensor's name", 1, kMostName));
    CBENCH_ASSIGN(const auto type, Number("type of a tensor", 0, GGML_TYPE_COUNT - 1));
    std::array<std::int32_t, 4> sizes = {1, 1, 1, 1};
    for (int i = 0; i < dimensions; ++i) {
      CBENCH_ASSIGN(sizes[static_cast<std::size_t>(i)], Number("size of a tensor", 1, kMostWidth));
    }
    CBENCH_TRY(Skip(static_cast<std::uint64_t>(name)));
    return Weights(static_cast<ggml_type>(type), sizes);
  }

  // Row by row cannot overflow: no size is over 2^20, and what is over the file's size is torn.
  Result<> Weights(ggml_type type, const std::array<std::int32_t, 4>& sizes) {
    const std::int64_t block = ggml_blck_size(type);
    if (block <= 0 || sizes[0] % block != 0) {
      return InputError(
          "{} is damaged: rows of {} in type {} before byte {}; copy or download it "
          "again",
          name_, sizes[0], static_cast<int>(type), at_);
    }
    std::uint64_t bytes = ggml_row_size(type, sizes[0]);
    for (const std::int32_t rows : {sizes[1], sizes[2], sizes[3]}) {
      bytes *= static_cast<std::uint64_t>(rows);
      if (bytes > size_) return Torn();
    }
    return Skip(bytes);
  }

  std::istream& in_;
  const std::uint64_t size_;
  const std::string& name_;
  std::uint64_t at_ = 0;
  WhisperShape shape_;
};

}  // namespace

Result<> CheckWhisperFile(std::istream& in, std::uint64_t size, const std::string& name) {
  return Walk(in, size, name).Run();
}

}  // namespace cbench::embedded
