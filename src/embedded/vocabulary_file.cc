#include "embedded/vocabulary_file.h"

#include <fmt/format.h>

#include <cstdlib>

namespace cbench::embedded {

Result<Gguf> OpenVocabulary(const std::string& name, std::int64_t tokens) {
  const char* folder = std::getenv("CBENCH_VOCAB_DIR");
  const auto path = fmt::format("{}/{}", folder && *folder ? folder : CBENCH_VOCAB_DIR, name);
  Gguf file(gguf_init_from_file(path.c_str(), {/*no_alloc=*/true, nullptr}));
  if (!file) return Failure("{}: cannot be read; run 'make setup' or set CBENCH_VOCAB_DIR", path);
  const std::int64_t key = gguf_find_key(file.get(), "tokenizer.ggml.tokens");
  if (key < 0 || static_cast<std::int64_t>(gguf_get_arr_n(file.get(), key)) != tokens) {
    return Failure("{}: not the vocabulary of {} tokens that is needed; run 'make setup'", path,
                   tokens);
  }
  return file;
}

}  // namespace cbench::embedded
