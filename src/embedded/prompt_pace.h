// How much of a prompt goes into one step where others wait for the device: as many tokens as take
// about the time that the step hook advises. Learnt from the steps themselves, as a moving average
// of time a token, so that it follows the model, the device and the step's fixed cost.
// Not thread-safe: belongs to the decode thread.
#pragma once

#include "base/clock.h"

namespace cbench::embedded {

class PromptPace {
 public:
  explicit PromptPace(int most) : most_(most) {}

  // Tokens for a step of about `longest`; all that a step may hold if that is 0 or nothing is
  // known yet.
  int Tokens(Nanos longest) const;

  // A step with `tokens` tokens took so long.
  void Note(int tokens, Nanos took);

 private:
  int most_;
  double per_token_ = 0;  // ns; 0: no step seen
};

}  // namespace cbench::embedded
