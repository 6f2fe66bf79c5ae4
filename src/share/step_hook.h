// Every engine step (one prefill chunk, decode step, denoising step, encoder or decoder pass)
// asks before it takes the device and reports after. The engines know only this interface; what
// stands behind it (nothing, or a policy) is chosen by whoever starts the engine.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace cbench::share {

enum class StepKind { kPrefill, kDecode, kDenoise, kVae, kEncode, kDecodeAudio };
std::string_view Name(StepKind kind);

struct StepInfo {
  StepKind kind = StepKind::kDecode;
  int size = 0;        // tokens in the batch, pixels' latent tokens, audio frames
  int context = 0;     // tokens already in the cache (text), else 0
  Nanos deadline = 0;  // when its request needs it done; 0: no deadline known
};

class StepHook {
 public:
  virtual ~StepHook() = default;
  virtual void Begin(const StepInfo& step) = 0;  // may block until the device is granted
  virtual void End(const StepInfo& step) = 0;    // the device has finished the step's work
};

// Grants at once.
std::unique_ptr<StepHook> MakeFreeHook();

// RAII: Begin and End around a step, whatever happens in between.
class ScopedStep {
 public:
  ScopedStep(StepHook& hook, const StepInfo& step) : hook_(hook), step_(step) {
    hook_.Begin(step_);
  }
  ~ScopedStep() { hook_.End(step_); }
  ScopedStep(const ScopedStep&) = delete;
  ScopedStep& operator=(const ScopedStep&) = delete;

 private:
  StepHook& hook_;
  StepInfo step_;
};

// What a request says about its urgency. Travels from client to engine in HTTP headers named
// below; engines that do not know them ignore them. Times are CLOCK_MONOTONIC ns.
struct Urgency {
  std::string app;             // who asks
  std::string priority_class;  // latency, throughput, background
  Nanos deadline = 0;          // whole request or first token; 0: none
  Nanos per_step = 0;          // per token or denoising step after that; 0: none
};
inline constexpr char kAppHeader[] = "X-Cbench-App";
inline constexpr char kClassHeader[] = "X-Cbench-Class";
inline constexpr char kDeadlineHeader[] = "X-Cbench-Deadline";
inline constexpr char kPerStepHeader[] = "X-Cbench-Per-Step";

}  // namespace cbench::share
