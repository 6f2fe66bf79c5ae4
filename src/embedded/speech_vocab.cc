#include "embedded/speech_vocab.h"

#include <array>

#include "embedded/vocabulary_file.h"

namespace cbench::embedded {
namespace {

constexpr char kVocabularyFile[] = "ggml-vocab-gpt-2.gguf";

bool IsPrintable(int byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

// Printable bytes stand for themselves (as Latin-1 code points), the rest for 256, 257, … in order.
std::array<int, 512> ByteOfCodePoint() {
  std::array<int, 512> bytes;
  bytes.fill(-1);
  std::size_t next = 256;
  for (int byte = 0; byte < 256; ++byte) {
    bytes[IsPrintable(byte) ? static_cast<std::size_t>(byte) : next++] = byte;
  }
  return bytes;
}

}  // namespace

std::string BytesOfToken(const char* spelling) {
  static const std::array<int, 512> bytes = ByteOfCodePoint();
  std::string out;
  const auto add = [&](std::size_t code_point) {
    if (code_point < bytes.size() && bytes[code_point] >= 0) {
      out.push_back(static_cast<char>(bytes[code_point]));
    }
  };
  for (auto* c = reinterpret_cast<const unsigned char*>(spelling); *c; ++c) {
    const bool pair = *c >= 0xC0 && *c < 0xE0 && c[1];
    if (*c < 0x80) add(*c);
    if (pair) add(static_cast<std::size_t>(*c & 0x1F) << 6 | (c[1] & 0x3F));
    if (pair) ++c;
  }
  return out;
}

Result<std::vector<std::string>> SyntheticVocabulary() {
  CBENCH_ASSIGN(const Gguf file, OpenVocabulary(kVocabularyFile, kTextTokens));
  const std::int64_t key = gguf_find_key(file.get(), "tokenizer.ggml.tokens");
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < kMarkerToken; ++i) {
    tokens.push_back(BytesOfToken(gguf_get_arr_str(file.get(), key, i)));
  }
  tokens.emplace_back(kSyntheticMarker);
  return tokens;
}

}  // namespace cbench::embedded
