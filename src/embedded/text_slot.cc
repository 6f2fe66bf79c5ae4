#include "embedded/text_slot.h"

#include <algorithm>

namespace cbench::embedded {

void TextSlot::Begin(std::shared_ptr<Generation> generation, const TextModel& model, int kept,
                     int context) {
  const GenerationRequest& request = generation->request();
  const int prompt = static_cast<int>(request.prompt.size());
  begun_ = last_used_ = Now();
  generation_ = std::move(generation);
  model_ = &model;
  cached_.resize(static_cast<std::size_t>(kept));
  sampler_.emplace(model, request);
  splitter_ = {};
  stop_ = StopMatcher(request.stop);
  // The token that completes an answer is not computed again, so it needs no place in the context.
  limit_ = std::min(request.max_tokens, context - prompt + 1);
  usage_ = {prompt, kept, 0};
}

void TextSlot::Fail(const std::string& why) {
  generation_->Push({"", "", why, usage_});
  generation_.reset();
}

void TextSlot::Forget() { cached_.clear(); }

int TextSlot::prompt_left() const {
  return static_cast<int>(generation_->request().prompt.size() - cached_.size());
}

llama_token TextSlot::NextToken() const {
  return prefilling() ? generation_->request().prompt[cached_.size()] : sampled_;
}

void TextSlot::Advance() {
  cached_.push_back(NextToken());
  last_used_ = Now();
}

Nanos TextSlot::Deadline() const {
  if (usage_.completion == 0) return urgency().deadline;
  return urgency().per_step > 0 ? first_token_ + usage_.completion * urgency().per_step : 0;
}

Claim TextSlot::claim() const {
  return {.app_class = share::ClassOf(urgency()),
          .begun = begun_,
          .served = last_used_,
          .deadline = Deadline(),
          .prompt_left = prefilling() ? prompt_left() : 0};
}

void TextSlot::Sample(llama_context* context, int index) {
  sampled_ = sampler_->Sample(context, index, usage_.completion);
  last_used_ = Now();
  if (usage_.completion == 0) first_token_ = last_used_;
  ++usage_.completion;
  Emit(sampled_);
}

std::string TextSlot::FinishReason(llama_token token) const {
  if (stop_.stopped() || (model_->EndsText(token) && !generation_->request().ignore_eos)) {
    return "stop";
  }
  return usage_.completion >= limit_ ? "length" : "";
}

void TextSlot::Emit(llama_token token) {
  Output output{stop_.Feed(splitter_.Feed(model_->Piece(token))), "", "", usage_};
  output.finish = FinishReason(token);
  if (output.last()) {
    output.text += stop_.stopped() ? "" : stop_.Feed(splitter_.Flush());
    output.text += stop_.Flush();
  }
  const bool last = output.last();
  generation_->Push(std::move(output));
  if (last) generation_.reset();
}

int CommonPrefix(const std::vector<llama_token>& a, const std::vector<llama_token>& b) {
  const auto end = a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
  return static_cast<int>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

TextSlot* ChooseSlot(std::vector<TextSlot>& slots, const std::vector<llama_token>& prompt) {
  TextSlot *best = nullptr, *oldest = nullptr;
  int longest = static_cast<int>(prompt.size() / 10);
  for (TextSlot& slot : slots) {
    if (slot.busy()) continue;
    const int prefix = CommonPrefix(slot.cached(), prompt);
    if (prefix > longest) {
      best = &slot;
      longest = prefix;
    }
    if (!oldest || slot.last_used() < oldest->last_used()) oldest = &slot;
  }
  return best ? best : oldest;
}

}  // namespace cbench::embedded
