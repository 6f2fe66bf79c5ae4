#include "share/policies/horizon.h"

#include <algorithm>

namespace cbench::share {

Horizon::Horizon(std::span<const Candidate> candidates, AppClass app_class, Nanos now, int width)
    : now_(now) {
  for (const Candidate& candidate : candidates)
    if (candidate.deadline != 0 && candidate.app_class == app_class) Insert(candidate);
  Nanos before = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const Candidate& candidate = *order_[i];
    slack_[i] = candidate.deadline - now - before / std::max(width, 1) - candidate.to_deadline;
    before += candidate.to_deadline;
  }
}

void Horizon::Insert(const Candidate& candidate) {
  std::size_t at = count_++;
  for (; at > 0 && candidate.deadline < order_[at - 1]->deadline; --at) order_[at] = order_[at - 1];
  order_[at] = &candidate;
}

Nanos Horizon::Spare(Nanos deadline) const {
  Nanos least = kEndless;
  for (std::size_t i = 0; i < count_; ++i) {
    if (deadline != 0 && order_[i]->deadline >= deadline) break;
    least = std::min(least, slack_[i]);
  }
  return least;
}

bool Horizon::SparesHold(const Candidate& expected) const {
  const Nanos idle = expected.hold_until - now_;
  for (std::size_t i = 0; i < count_; ++i)
    if (order_[i]->waiting >= 0 && slack_[i] < idle) return false;
  return true;
}

const Candidate* Horizon::First() const {
  for (std::size_t i = 0; i < count_; ++i) {
    const Candidate& candidate = *order_[i];
    if (candidate.waiting >= 0) return &candidate;
    if (!candidate.announced && SparesHold(candidate)) return &candidate;
  }
  return nullptr;
}

}  // namespace cbench::share
