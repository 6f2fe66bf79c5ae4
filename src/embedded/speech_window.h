// How much of the network one piece of audio gets. Whisper is trained on windows of 30 s, padded
// with silence, and spends the same time on a 2 s clip; three bounds of ours keep short clips cheap
// and synthetic weights, which never say "end", finite:
//
//   encoder positions   the clip's own (50 a second) and a margin, in steps of 64, but at least
//                       a floor: 128 for synthetic weights, 512 for real ones, whose text suffers
//                       when they see much less than they were trained on
//   tokens, synthetic   exactly 33 for a short clip, 4 a second of a longer one
//   tokens, real        until the model ends, at most 32 and 25 a second of audio, and whisper's
//                       own limit of half its text context
//
// Audio longer than a window is cut at the quietest tenth of a second in the window's last third,
// so that no word is split; each window is transcribed on its own.
#pragma once

#include <cstddef>
#include <span>

namespace cbench::embedded {

struct Window {
  std::size_t begin = 0, end = 0;  // samples
};

// The window that starts at `begin`, of at most `limit` samples.
Window NextWindow(std::span<const float> samples, std::size_t begin, std::size_t limit);

// Encoder positions for a clip, at most `full`, which is what the model was trained on.
int EncoderPositions(std::size_t samples, int full, bool synthetic);

struct TokenBudget {
  int tokens = 0;
  bool exact = false;  // the end-of-text token is not allowed before
};
TokenBudget TokensFor(std::size_t samples, int text_context, bool synthetic);

}  // namespace cbench::embedded
