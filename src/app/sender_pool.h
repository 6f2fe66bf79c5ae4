// Threads that send requests which may overlap. Jobs start in the order in which they were posted,
// at once while fewer than `limit` are running, else when one of those has ended: posting never
// blocks. Threads are made when first needed. One mutex guards the queue and is not held while a
// job runs.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cbench::app {

class SenderPool {
 public:
  explicit SenderPool(std::size_t limit) : limit_(limit) {}
  ~SenderPool();  // runs every job that was posted
  SenderPool(const SenderPool&) = delete;
  SenderPool& operator=(const SenderPool&) = delete;

  void Post(std::function<void()> job);  // from one thread: the owner's

 private:
  void Work();

  const std::size_t limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;  // guarded by mutex_
  std::size_t idle_ = 0;                    // threads waiting for a job; guarded by mutex_
  bool closing_ = false;                    // guarded by mutex_
  std::vector<std::jthread> threads_;  // last, so that they end before the rest; owner's thread
};

}  // namespace cbench::app
