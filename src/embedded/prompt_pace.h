// How much of a prompt goes into one step where others wait for the device: as many tokens as take
// about the time that the step hook advises, or that others can spare. Learnt from the steps
// themselves, as a moving average of time a token, so that it follows the model, the device and the
// step's fixed cost. Not thread-safe: belongs to the decode thread.
#pragma once

#include "base/clock.h"

namespace cbench::embedded {

class PromptPace {
 public:
  explicit PromptPace(int most) : most_(most) {}

  // Tokens for a step of about `longest`; all that a step may hold if that is 0 or nothing is
  // known yet.
  int Tokens(Nanos longest) const;

  // Tokens whose step takes no longer than that; 0 where that is less than a step worth making.
  int TokensWithin(Nanos time) const;

  // A step with `tokens` tokens, some of them a prompt's, took so long.
  void Note(int tokens, Nanos took);
  // A step with answers only.
  void NoteAnswer(Nanos took);
  Nanos answer() const { return answer_; }  // what such a step takes; 0: none seen

 private:
  int most_;
  Nanos answer_ = 0;
  double per_token_ = 0;  // ns; 0: no step seen
};

}  // namespace cbench::embedded
