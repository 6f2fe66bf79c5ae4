#include "embedded/speech_window.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "embedded/speech_format.h"

namespace cbench::embedded {
namespace {

constexpr int kSyntheticFloor = 128, kRealFloor = 512;
constexpr int kMargin = 16, kStep = 64;
constexpr int kSyntheticTokens = 33;
constexpr double kSyntheticTokensPerSecond = 4;
constexpr int kRealTokens = 32;
constexpr double kRealTokensPerSecond = 25;
constexpr std::size_t kPause = kSampleRate / 10;

double Seconds(std::size_t samples) { return static_cast<double>(samples) / kSampleRate; }

double Energy(std::span<const float> samples) {
  double sum = 0;
  for (const float sample : samples) sum += static_cast<double>(sample) * sample;
  return sum;
}

}  // namespace

Window NextWindow(std::span<const float> samples, std::size_t begin, std::size_t limit) {
  const std::size_t end = std::min(samples.size(), begin + limit);
  if (end == samples.size()) return {begin, end};
  std::size_t cut = end;
  double quietest = std::numeric_limits<double>::infinity();
  for (std::size_t at = end - limit / 3; at + kPause <= end; at += kPause) {
    const double energy = Energy(samples.subspan(at, kPause));
    if (energy > quietest) continue;
    quietest = energy;
    cut = at + kPause / 2;
  }
  return {begin, cut};
}

int EncoderPositions(std::size_t samples, int full, bool synthetic) {
  const int own = static_cast<int>(std::ceil(Seconds(samples) * kFramesPerSecond)) + kMargin;
  const int rounded = (own + kStep - 1) / kStep * kStep;
  return std::min(full, std::max(rounded, synthetic ? kSyntheticFloor : kRealFloor));
}

TokenBudget TokensFor(std::size_t samples, int text_context, bool synthetic) {
  const double seconds = Seconds(samples);
  const int limit = text_context / 2 - 4;
  if (synthetic) {
    const int own = static_cast<int>(std::ceil(seconds * kSyntheticTokensPerSecond));
    return {std::min(limit, std::max(kSyntheticTokens, own)), true};
  }
  const int own = kRealTokens + static_cast<int>(std::ceil(seconds * kRealTokensPerSecond));
  return {std::min(limit, own), false};
}

}  // namespace cbench::embedded
