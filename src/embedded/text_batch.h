// The tokens of one step and, for each output, the slot it belongs to.
#pragma once

#include <llama.h>

#include <utility>
#include <vector>

#include "embedded/text_slot.h"
#include "share/step_hook.h"

namespace cbench::embedded {

class TextBatch {
 public:
  explicit TextBatch(int capacity)
      : batch_(llama_batch_init(capacity, 0, 1)), capacity_(capacity) {}
  ~TextBatch() { llama_batch_free(batch_); }
  TextBatch(const TextBatch&) = delete;
  TextBatch& operator=(const TextBatch&) = delete;

  void Clear();
  // The next `count` tokens of the slot; the last asks for an output unless more of the prompt
  // follows.
  void Add(TextSlot& slot, int count);

  int capacity() const { return capacity_; }
  const llama_batch& llama() const { return batch_; }
  // The step as a whole: a prefill if it holds any of a prompt, in the name of the most urgent
  // member (its class first, then its deadline), whose device time it is charged to.
  const share::StepInfo& step() const { return step_; }
  const std::vector<TextSlot*>& members() const { return members_; }
  const std::vector<std::pair<TextSlot*, int>>& outputs() const { return outputs_; }

 private:
  void NameMostUrgent(const TextSlot& slot);
  void Put(TextSlot& slot);

  llama_batch batch_;
  int capacity_;
  share::StepInfo step_;
  std::vector<TextSlot*> members_;
  std::vector<std::pair<TextSlot*, int>> outputs_;
};

}  // namespace cbench::embedded
