// Lets one thread through at a time, in order of arrival (a mutex promises no order), until it is
// closed. Thread-safe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

namespace cbench::embedded {

class Turnstile {
 public:
  bool Enter();  // waits for its turn; false: closed, and no turn was taken
  void Leave();  // ends the turn that Enter gave
  void Close();  // turns everyone away from now on; the one inside stays until it leaves
  bool closed() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::uint64_t> queue_;  // guarded by mutex_, as all below; the front is inside
  std::uint64_t next_ = 0;
  bool closed_ = false;
};

}  // namespace cbench::embedded
