#include "embedded/speech_turnstile.h"

#include <algorithm>

namespace cbench::embedded {

bool Turnstile::Enter() {
  std::unique_lock lock(mutex_);
  const std::uint64_t me = next_++;
  queue_.push_back(me);
  changed_.wait(lock, [&] { return closed_ || queue_.front() == me; });
  if (!closed_) return true;
  queue_.erase(std::find(queue_.begin(), queue_.end(), me));
  return false;
}

void Turnstile::Leave() {
  const std::scoped_lock lock(mutex_);
  queue_.pop_front();
  changed_.notify_all();
}

void Turnstile::Close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool Turnstile::closed() const {
  const std::scoped_lock lock(mutex_);
  return closed_;
}

}  // namespace cbench::embedded
