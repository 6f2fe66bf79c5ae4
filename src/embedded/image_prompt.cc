#include "embedded/image_prompt.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "embedded/synth_random.h"

namespace cbench::embedded {
namespace {

constexpr char kPadding[] = "";

// FNV-1a, 64 bits.
std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

std::vector<std::string_view> Words(std::string_view prompt) {
  constexpr std::string_view kSpace = " \t\r\n";
  std::vector<std::string_view> words;
  for (std::size_t start = 0; (start = prompt.find_first_not_of(kSpace, start)) < prompt.size();) {
    const std::size_t end = std::min(prompt.find_first_of(kSpace, start), prompt.size());
    words.push_back(prompt.substr(start, end - start));
    start = end;
  }
  return words;
}

void FillRow(float* row, std::size_t width, std::string_view word, std::size_t place) {
  const auto bytes = RandomRows(GGML_TYPE_F32, static_cast<std::int64_t>(width),
                                static_cast<std::int64_t>(place), 1, 1.0f, Hash(word));
  std::memcpy(row, bytes.data(), bytes.size());
}

}  // namespace

PromptEmbedding EmbedPrompt(std::string_view prompt, const MmditDims& dims) {
  const auto rows = static_cast<std::size_t>(dims.context_tokens);
  const auto width = static_cast<std::size_t>(dims.context_dim);
  const auto words = Words(prompt);
  PromptEmbedding out{std::vector<float>(rows * width),
                      std::vector<float>(static_cast<std::size_t>(dims.pooled_dim))};
  for (std::size_t row = 0; row < rows; ++row) {
    const bool clip = row < rows / 2;
    const std::size_t place = clip ? row : row - rows / 2;
    FillRow(&out.context[row * width], clip ? width / 2 : width,
            place < words.size() ? words[place] : kPadding, row);
  }
  FillRow(out.pooled.data(), out.pooled.size(), prompt, rows);
  return out;
}

}  // namespace cbench::embedded
