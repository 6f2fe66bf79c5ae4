// Chooses the next token from a step's logits: the likeliest one (temperature 0), or by chance
// with libllama's sampler chain.
#pragma once

#include <llama.h>

#include <memory>

#include "embedded/text_generation.h"
#include "embedded/text_model.h"

namespace cbench::embedded {

class TextSampler {
 public:
  TextSampler(const TextModel& model, const GenerationRequest& request);

  // From output `index` of the last batch; `generated`: tokens the request already has.
  llama_token Sample(llama_context* context, int index, int generated);

 private:
  struct Deleter {
    void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
  };
  void Forbid(float* logits, int generated) const;

  const TextModel& model_;
  bool ignore_eos_;
  int min_tokens_;
  std::unique_ptr<llama_sampler, Deleter> chain_;  // null: greedy
};

// Index of the largest value; the first of equals.
int ArgMax(const float* values, int count);

}  // namespace cbench::embedded
