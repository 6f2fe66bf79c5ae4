#include "embedded/text_batch.h"

#include <limits>

namespace cbench::embedded {

void TextBatch::Clear() {
  batch_.n_tokens = 0;
  outputs_.clear();
  members_.clear();
  step_ = {};
}

void TextBatch::Add(TextSlot& slot, int count) {
  members_.push_back(&slot);
  if (slot.prefilling()) step_.kind = share::StepKind::kPrefill;
  step_.size += count;
  step_.context += static_cast<int>(slot.cached().size());
  NameMostUrgent(slot);
  for (int i = 0; i < count; ++i) Put(slot);
  if (slot.prefilling()) return;
  batch_.logits[batch_.n_tokens - 1] = 1;
  outputs_.emplace_back(&slot, batch_.n_tokens - 1);
}

void TextBatch::NameMostUrgent(const TextSlot& slot) {
  const auto rank = [](share::AppClass app_class, Nanos deadline) {
    return std::pair(app_class, deadline > 0 ? deadline : std::numeric_limits<Nanos>::max());
  };
  const Nanos deadline = slot.Deadline();
  const bool more =
      rank(share::ClassOf(slot.urgency()), deadline) < rank(step_.app_class, step_.deadline);
  if (members_.size() > 1 && !more) return;
  InheritUrgency(slot.urgency(), step_);
  step_.deadline = deadline;
}

void TextBatch::Put(TextSlot& slot) {
  const int i = batch_.n_tokens++;
  batch_.token[i] = slot.NextToken();
  batch_.pos[i] = static_cast<llama_pos>(slot.cached().size());
  batch_.n_seq_id[i] = 1;
  batch_.seq_id[i][0] = slot.id();
  batch_.logits[i] = 0;
  slot.Advance();
}

}  // namespace cbench::embedded
