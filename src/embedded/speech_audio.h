// Audio files as people send them to what whisper hears: 16 kHz, mono, floats in [-1, 1].
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

namespace cbench::embedded {

inline constexpr int kMaxAudioSeconds = 30 * 60;
inline constexpr double kMinAudioSeconds = 0.1;

// `bytes` is a whole WAV or FLAC file (or any other that libsndfile reads), of 4 to 384 kHz and any
// number of channels, which are averaged. Works in small blocks, so that what a short file claims
// or unpacks to costs at most kMaxAudioSeconds at 16 kHz in memory. Every error is the sender's.
Result<std::vector<float>> DecodeAudio(std::string_view bytes);

}  // namespace cbench::embedded
