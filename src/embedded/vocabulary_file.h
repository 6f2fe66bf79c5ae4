// The published vocabularies that synthetic models borrow: GGUF files without weights.
#pragma once

#include <gguf.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace cbench::embedded {

struct GgufDeleter {
  void operator()(gguf_context* file) const { gguf_free(file); }
};
using Gguf = std::unique_ptr<gguf_context, GgufDeleter>;

// `name` is looked for in the folder $CBENCH_VOCAB_DIR, else where `make setup` puts them. Fails
// unless it holds exactly as many tokens.
Result<Gguf> OpenVocabulary(const std::string& name, std::int64_t tokens);

}  // namespace cbench::embedded
