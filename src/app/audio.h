// Audio files cut into what a captioning client sends: 16 kHz mono s16 WAV bodies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace cbench::app {

inline constexpr int kSampleRate = 16'000;

// A WAV, FLAC or other file that libsndfile reads, of any rate and number of channels; at most its
// first `longest` (0: all). Over 30 minutes and under 100 ms are input errors.
Result<std::vector<std::int16_t>> LoadAudio(const std::filesystem::path& path, Nanos longest);

std::string EncodeWav(std::span<const std::int16_t> samples);

Nanos AudioDuration(std::size_t samples);

// Segment k of a stream: [begin, end) is new; [window, begin) is audio that was sent before and
// goes along as context.
struct Segment {
  std::size_t window = 0, begin = 0, end = 0;
};

// Equal pieces of `segment`; the last may be shorter. `context` is the longest window - begin.
std::vector<Segment> CutSegments(std::size_t samples, Nanos segment, Nanos context);

}  // namespace cbench::app
