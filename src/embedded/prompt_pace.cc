#include "embedded/prompt_pace.h"

#include <algorithm>
#include <cmath>

namespace cbench::embedded {
namespace {

constexpr double kAlpha = 0.2;
// Below this a step is mostly fixed cost (the weights are read whatever the number of tokens): a
// pace measured while others had the device must not make prompts endless.
constexpr int kFewest = 32;

}  // namespace

int PromptPace::Tokens(Nanos longest) const {
  if (longest <= 0 || per_token_ == 0) return most_;
  const double fit = std::min<double>(most_, static_cast<double>(longest) / per_token_);
  return std::max(static_cast<int>(fit), std::min(kFewest, most_));
}

int PromptPace::TokensWithin(Nanos time) const {
  if (per_token_ == 0) return most_;
  const double fit = std::min<double>(most_, static_cast<double>(time) / per_token_);
  return fit < std::min(kFewest, most_) ? 0 : static_cast<int>(fit);
}

void PromptPace::NoteAnswer(Nanos took) {
  answer_ =
      answer_ == 0 ? took : answer_ + std::llround(kAlpha * static_cast<double>(took - answer_));
}

void PromptPace::Note(int tokens, Nanos took) {
  if (tokens <= 0) return;
  const double now = static_cast<double>(took) / tokens;
  per_token_ = per_token_ == 0 ? now : per_token_ + kAlpha * (now - per_token_);
}

}  // namespace cbench::embedded
