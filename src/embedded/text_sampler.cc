#include "embedded/text_sampler.h"

#include <algorithm>
#include <limits>

namespace cbench::embedded {

int ArgMax(const float* values, int count) {
  // Block maxima first: a loop without an index is one the compiler can vectorise.
  constexpr int kBlock = 256;
  float best = -std::numeric_limits<float>::infinity();
  int best_block = 0;
  for (int begin = 0; begin < count; begin += kBlock) {
    const int end = std::min(begin + kBlock, count);
    float largest = values[begin];
    for (int i = begin; i < end; ++i) largest = values[i] > largest ? values[i] : largest;
    if (largest > best) {
      best = largest;
      best_block = begin;
    }
  }
  const float* block = values + best_block;
  const int size = std::min(kBlock, count - best_block);
  return best_block + static_cast<int>(std::max_element(block, block + size) - block);
}

TextSampler::TextSampler(const TextModel& model, const GenerationRequest& request)
    : model_(model), ignore_eos_(request.ignore_eos), min_tokens_(request.min_tokens) {
  if (request.temperature <= 0) return;
  llama_sampler_chain_params params = llama_sampler_chain_default_params();
  params.no_perf = true;
  chain_.reset(llama_sampler_chain_init(params));
  if (request.top_k > 0) {
    llama_sampler_chain_add(chain_.get(), llama_sampler_init_top_k(request.top_k));
  }
  if (request.top_p < 1) {
    llama_sampler_chain_add(chain_.get(), llama_sampler_init_top_p(request.top_p, 1));
  }
  llama_sampler_chain_add(chain_.get(), llama_sampler_init_temp(request.temperature));
  llama_sampler_chain_add(chain_.get(), llama_sampler_init_dist(request.seed));
}

void TextSampler::Forbid(float* logits, int generated) const {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  if (model_.synthetic()) {
    for (const llama_token token : model_.unwanted()) logits[token] = kNever;
  } else if (ignore_eos_ || generated < min_tokens_) {
    for (const llama_token token : model_.ending()) logits[token] = kNever;
  }
}

llama_token TextSampler::Sample(llama_context* context, int index, int generated) {
  float* logits = llama_get_logits_ith(context, index);
  Forbid(logits, generated);
  if (!chain_) return ArgMax(logits, model_.vocabulary());
  return llama_sampler_sample(chain_.get(), context, index);
}

}  // namespace cbench::embedded
