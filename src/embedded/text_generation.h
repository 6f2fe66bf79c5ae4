// One request to the text engine and its answer on the way back. The HTTP thread that made it
// waits in Next; the engine's decode thread calls Push. mutex_ guards the queue between them.
#pragma once

#include <llama.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "share/step_hook.h"

namespace cbench::embedded {

struct GenerationRequest {
  std::vector<llama_token> prompt;
  int max_tokens = 0;       // at least 1
  int min_tokens = 0;       // no end of text before so many
  bool ignore_eos = false;  // no end of text at all
  bool cache_prompt = true;
  float temperature = 1, top_p = 1;
  int top_k = 0;  // 0: all
  std::uint32_t seed = 0;
  std::vector<std::string> stop;
  share::Urgency urgency;
};

struct Usage {
  int prompt = 0, cached = 0, completion = 0;  // tokens; cached: of the prompt, not computed again
};

// What one step added.
struct Output {
  std::string text;    // whole UTF-8
  std::string finish;  // "" while it goes on, then "stop" or "length"
  std::string error;   // why it ended early, if it did
  Usage usage;         // so far
  bool last() const { return !finish.empty() || !error.empty(); }
};

class Generation {
 public:
  explicit Generation(GenerationRequest request) : request_(std::move(request)) {}

  const GenerationRequest& request() const { return request_; }

  void Push(Output output) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(output));
    }
    changed_.notify_one();
  }

  // The next output, or nothing when the limit has passed.
  std::optional<Output> Next(Nanos limit) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::nanoseconds(limit), [&] { return !queue_.empty(); }))
      return std::nullopt;
    Output output = std::move(queue_.front());
    queue_.pop_front();
    return output;
  }

  void Cancel() { cancelled_ = true; }
  bool cancelled() const { return cancelled_; }

 private:
  const GenerationRequest request_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Output> queue_;  // guarded by mutex_
  std::atomic<bool> cancelled_ = false;
};

}  // namespace cbench::embedded
