// Whisper's multilingual vocabulary has GPT-2's 50,257 entries before its special tokens; GPT-2's
// is at hand beside llama.cpp, so synthetic speech models use that.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace cbench::embedded {

inline constexpr int kTextTokens = 50257;

// A synthetic file is known by the text of its last ordinary token, which a real one has empty.
inline constexpr char kSyntheticMarker[] = "<|cbench-synthetic|>";
inline constexpr int kMarkerToken = kTextTokens - 1;

// The bytes each token stands for; the last one is the marker.
Result<std::vector<std::string>> SyntheticVocabulary();

// Undoes byte-level BPE's spelling, which writes every byte as a printable character: "Ġthe" is
// " the". Characters outside its alphabet are dropped.
std::string BytesOfToken(const char* spelling);

}  // namespace cbench::embedded
