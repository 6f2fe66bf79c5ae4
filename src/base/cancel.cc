#include "base/cancel.h"

#include <chrono>

namespace cbench {

Cancel::Cancel(Cancel& parent) : parent_(&parent) {
  parent_token_ = parent.Subscribe([this] { Trigger(); });
}

Cancel::~Cancel() {
  if (parent_) parent_->Unsubscribe(parent_token_);
}

void Cancel::Trigger() {
  const std::lock_guard lock(mutex_);
  if (triggered_) return;
  triggered_ = true;
  changed_.notify_all();
  for (auto& wake : listeners_) wake();
}

bool Cancel::IsTriggered() const {
  const std::lock_guard lock(mutex_);
  return triggered_;
}

bool Cancel::WaitUntil(Nanos t) const {
  const std::chrono::steady_clock::time_point deadline{std::chrono::nanoseconds(t)};
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, deadline, [this] { return triggered_; });
}

Cancel::Token Cancel::Subscribe(std::function<void()> wake) const {
  const std::lock_guard lock(mutex_);
  if (triggered_) wake();
  return listeners_.insert(listeners_.end(), std::move(wake));
}

void Cancel::Unsubscribe(Token token) const {
  const std::lock_guard lock(mutex_);
  listeners_.erase(token);
}

}  // namespace cbench
