// A slot: one sequence of the KV cache and the request that uses it. Belongs to the decode thread.
// When a request is over, its tokens stay cached, so that a next turn that begins the same way
// need not compute them again.
#pragma once

#include <llama.h>

#include <memory>
#include <optional>
#include <vector>

#include "embedded/text_assembler.h"
#include "embedded/text_generation.h"
#include "embedded/text_plan.h"
#include "embedded/text_sampler.h"

namespace cbench::embedded {

class TextSlot {
 public:
  explicit TextSlot(int id, std::vector<llama_token> cached = {})
      : id_(id), cached_(std::move(cached)) {}

  int id() const { return id_; }
  bool busy() const { return generation_ != nullptr; }
  Nanos last_used() const { return last_used_; }
  const std::vector<llama_token>& cached() const { return cached_; }
  const Generation& generation() const { return *generation_; }
  const share::Urgency& urgency() const { return generation_->request().urgency; }

  // Takes a request; the first `kept` tokens of the cache are the first of its prompt.
  void Begin(std::shared_ptr<Generation> generation, const TextModel& model, int kept, int context);
  void Fail(const std::string& why);
  void Forget();  // the cache of this sequence is no longer what cached() said

  bool prefilling() const { return cached_.size() < generation_->request().prompt.size(); }
  int prompt_left() const;
  // The next tokens to compute: of the prompt, or the token sampled last.
  llama_token NextToken() const;
  void Advance();  // NextToken is in the batch

  // When the request needs this step done; 0: it did not say. Tokens are due per_step apart from
  // the first on, as TPOT is judged: an answer that is ahead of its reader can spare the time.
  Nanos Deadline() const;

  Claim claim() const;  // on the next step

  // Samples from output `index` and hands the text over; ends the request when it is complete.
  void Sample(llama_context* context, int index);

 private:
  void Emit(llama_token token);
  std::string FinishReason(llama_token token) const;

  int id_;
  Nanos last_used_ = 0, begun_ = 0, first_token_ = 0;
  std::vector<llama_token> cached_;  // tokens whose keys and values are in the cache

  // The rest belongs to the request in progress.
  std::shared_ptr<Generation> generation_;
  const TextModel* model_ = nullptr;
  std::optional<TextSampler> sampler_;
  Utf8Splitter splitter_;
  StopMatcher stop_{{}};
  llama_token sampled_ = 0;
  int limit_ = 0;  // tokens this request may have
  Usage usage_;
};

// How many tokens `a` and `b` have in common at their start.
int CommonPrefix(const std::vector<llama_token>& a, const std::vector<llama_token>& b);

// The free slot to take for a prompt: the one that has most of it cached, unless that is less than
// a tenth (a template's first words are common to all chats), then the one unused for longest.
// Null when all are busy.
TextSlot* ChooseSlot(std::vector<TextSlot>& slots, const std::vector<llama_token>& prompt);

}  // namespace cbench::embedded
