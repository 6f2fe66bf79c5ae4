// Continuous batching on libllama. Requests take slots; each step computes, in one batch, the next
// token of every slot that is answering and a piece of the prompts of those that are not yet, so a
// long prompt delays the others' next token by one bounded step, never by its whole length. Where
// the step hook arranges who has the device, that piece is as short as the hook advises, and
// prompts go by class and by what the answers can spare (text_plan.h).
//
// Threads: one decode thread owns the llama_context and the slots. Submit may be called from any
// thread; mutex_ guards what it shares with the decode thread: waiting_ and stopping_.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "embedded/prompt_pace.h"
#include "embedded/text_batch.h"
#include "embedded/text_generation.h"
#include "embedded/text_model.h"
#include "embedded/text_slot.h"
#include "embedded/thread_pool.h"

namespace cbench::embedded {

class TextEngine {
 public:
  static Result<std::unique_ptr<TextEngine>> Make(const ServeOptions& options,
                                                  const TextModel& model, share::StepHook& hook);
  ~TextEngine();

  // The answer arrives in `generation`; it waits its turn while all slots are busy. False: too
  // many are waiting already, or the engine is stopping.
  bool Submit(std::shared_ptr<Generation> generation);

  void Stop();  // ends all requests with an error and the step in progress as soon as ggml allows

  int context() const { return context_size_; }  // tokens of one slot
  int threads() const { return threads_; }
  std::string device() const { return device_; }

 private:
  struct ContextDeleter {
    void operator()(llama_context* context) const { llama_free(context); }
  };

  TextEngine(const TextModel& model, share::StepHook& hook) : model_(model), hook_(hook) {}
  Result<> Open(const ServeOptions& options);
  Result<> WarmUp();

  void Loop();
  bool WaitForWork();
  void Admit();
  void Begin(TextSlot& slot, std::shared_ptr<Generation> generation);
  void DropCancelled();
  void Step();
  void Fill(TextBatch& batch);
  void Fail(TextBatch& batch, int code);
  bool AnyBusy() const;

  const TextModel& model_;
  share::StepHook& hook_;
  ThreadPool pool_;  // outlives context_
  std::unique_ptr<llama_context, ContextDeleter> context_;
  std::unique_ptr<TextBatch> batch_;
  std::unique_ptr<PromptPace> pace_;
  std::vector<TextSlot> slots_;
  int context_size_ = 0, step_tokens_ = 0, threads_ = 0;
  std::string device_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Generation>> waiting_;  // guarded by mutex_
  bool stopping_ = false;                            // guarded by mutex_
  std::atomic<bool> abort_ = false;                  // read by ggml's threads during a step
  std::thread thread_;
};

}  // namespace cbench::embedded
