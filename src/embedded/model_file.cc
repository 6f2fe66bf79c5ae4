#include "embedded/model_file.h"

#include <ggml.h>
#include <gguf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "base/text.h"
#include "base/units.h"
#include "embedded/image_weights.h"
#include "embedded/speech_file.h"

namespace cbench::embedded {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kHeadBytes = 64;

// On one line, whatever is in it.
std::string Name(const fs::path& path) { return Printable(path.string()); }

// What people mistake for a model file, by its first bytes.
std::string_view Recognise(std::string_view head) {
  const auto has = [head](std::string_view what) { return head.find(what) != head.npos; };
  if (head.starts_with("GGUF")) return "a GGUF file";
  if (head.starts_with("lmgg")) return "a whisper.cpp model";
  if (head.starts_with("version https://git-lfs")) return "a Git LFS pointer (run 'git lfs pull')";
  if (head.starts_with("PK\x03\x04")) return "a PyTorch or zip archive";
  if (head.size() > 9 && head.substr(8, 2) == "{\"") return "a safetensors file";
  if (has("<html") || has("<!DOCTYPE") || has("<!doctype")) return "a web page";
  return "something else";
}

// The beginning of a file that can be read and is not empty.
Result<std::string> ReadHead(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return InputError("{} is a directory; name a file in it", Name(path));
  }
  if (!fs::is_regular_file(path, error)) {
    return InputError("{} is not a file; name a model file or synth:NAME", Name(path));
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return InputError("{} cannot be read: {}", Name(path), std::strerror(errno));
  std::string head(kHeadBytes, '\0');
  in.read(head.data(), kHeadBytes);
  head.resize(static_cast<std::size_t>(in.gcount()));
  if (head.empty()) {
    return InputError("{} is empty; copy or download it again", Name(path));
  }
  return head;
}

Result<> WantMagic(const fs::path& path, std::string_view magic, std::string_view format) {
  CBENCH_ASSIGN(const std::string head, ReadHead(path));
  if (std::string_view(head).starts_with(magic)) return {};
  return InputError("{} is not {} but {}; convert it or name another", Name(path), format,
                    Recognise(head));
}

// ggml prints what it finds wrong; our own error says it.
class QuietGgml {
 public:
  QuietGgml() {
    ggml_log_get(&log_, &data_);
    ggml_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  }
  ~QuietGgml() { ggml_log_set(log_, data_); }
  QuietGgml(const QuietGgml&) = delete;
  QuietGgml& operator=(const QuietGgml&) = delete;

 private:
  ggml_log_callback log_ = nullptr;
  void* data_ = nullptr;
};

std::uint64_t BytesNeeded(const gguf_context* file) {
  std::uint64_t end = 0;
  for (std::int64_t i = 0; i < gguf_get_n_tensors(file); ++i) {
    end = std::max<std::uint64_t>(end,
                                  gguf_get_tensor_offset(file, i) + gguf_get_tensor_size(file, i));
  }
  return gguf_get_data_offset(file) + end;
}

Result<GgufFile> ReadGguf(const fs::path& path) {
  CBENCH_TRY(WantMagic(path, "GGUF", "a GGUF file"));
  const QuietGgml quiet;
  GgufFile file(gguf_init_from_file(path.c_str(), {.no_alloc = true, .ctx = nullptr}));
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  if (file && size >= BytesNeeded(file.get())) return file;
  return InputError("{} is damaged or was cut short ({} are there); copy or download it again",
                    Name(path), FormatBytes(size));
}

Result<> CheckText(const fs::path& path) {
  CBENCH_ASSIGN(const GgufFile file, ReadGguf(path));
  const auto has = [&file](const char* key) { return gguf_find_key(file.get(), key) >= 0; };
  if (has("general.architecture") && has("tokenizer.ggml.model") &&
      gguf_get_n_tensors(file.get()) > 0) {
    return {};
  }
  return InputError("{} is a GGUF file without {}; name one of a text model", Name(path),
                    has("tokenizer.ggml.model") ? "weights" : "a vocabulary");
}

Result<> CheckImage(const fs::path& path) {
  CBENCH_ASSIGN(const GgufFile file, ReadGguf(path));
  CBENCH_TRY(ReadDims(file.get(), Name(path)));
  return {};
}

Result<> CheckSpeech(const fs::path& path) {
  CBENCH_TRY(WantMagic(path, "lmgg", "a whisper.cpp model (ggml-*.bin)"));
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  return CheckWhisperFile(in, fs::file_size(path, error), Name(path));
}

}  // namespace

Result<> CheckModelFile(std::string_view modality, const fs::path& path) {
  if (modality == "speech") return CheckSpeech(path);
  return modality == "image" ? CheckImage(path) : CheckText(path);
}

}  // namespace cbench::embedded
