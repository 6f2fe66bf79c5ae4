#include "app/sender_pool.h"

#include <utility>

namespace cbench::app {

SenderPool::~SenderPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
}

void SenderPool::Post(std::function<void()> job) {
  bool starved = false;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    starved = jobs_.size() > idle_;
  }
  if (starved && threads_.size() < limit_) threads_.emplace_back([this] { Work(); });
  changed_.notify_one();
}

void SenderPool::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
    --idle_;
    if (jobs_.empty()) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

}  // namespace cbench::app
