// Every engine step (one prefill chunk, decode step, denoising step, encoder or decoder pass)
// asks before it takes the device and reports after. The engines know only this interface; what
// stands behind it (nothing, or a policy) is chosen by whoever starts the engine.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "share/app_class.h"

namespace cbench::share {

// kGraph: a whole graph of a program whose steps we do not know (docs/shim.md).
enum class StepKind { kPrefill, kDecode, kDenoise, kVae, kEncode, kDecodeAudio, kGraph };
std::string_view Name(StepKind kind);

struct StepInfo {
  StepKind kind = StepKind::kDecode;
  int size =
      0;  // tokens in the batch, pixels' latent tokens, audio frames; of a graph: docs/shim.md
  int context = 0;     // tokens already in the cache (text), nodes (graph), else 0
  Nanos deadline = 0;  // when its request needs it done; 0: no deadline known

  // Who asks (InheritUrgency fills it in). A step for several requests names the most urgent one.
  std::string app = {};  // empty: unknown
  AppClass app_class = AppClass::kLatency;
  double weight = 1;
  std::uint64_t request = 0;  // the same for all steps of a request; 0: unknown
  Nanos next_request = 0;     // when its app expects its next request; 0: unknown
};

class StepHook {
 public:
  virtual ~StepHook() = default;
  virtual void Begin(const StepInfo& step) = 0;  // may block until the device is granted
  virtual void End(const StepInfo& step) = 0;    // the device has finished the step's work

  // Whether steps may have to wait for other apps'. Then steps that others may have to wait for
  // should be cut to about LongestBackStep (0: no need): prompts, and whatever runs in the back
  // lane where the device can't push it aside.
  virtual bool Arranges() const { return false; }
  virtual Nanos LongestBackStep() const { return 0; }

  // Threads that compute the steps beside the one that calls Begin; before the first step.
  virtual void AddWorkers(std::span<const pid_t>) {}
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
  double weight = 1;           // share of the device under contention, relative to other apps'
  Nanos next_request = 0;      // when the app expects to send its next request; 0: unknown
  std::uint64_t request = 0;   // told apart by the engine, see NextRequestId; not sent
};
inline constexpr char kAppHeader[] = "X-Cbench-App";
inline constexpr char kClassHeader[] = "X-Cbench-Class";
inline constexpr char kDeadlineHeader[] = "X-Cbench-Deadline";
inline constexpr char kPerStepHeader[] = "X-Cbench-Per-Step";
inline constexpr char kWeightHeader[] = "X-Cbench-Weight";
inline constexpr char kNextHeader[] = "X-Cbench-Next";

// Who asks, from a request into one of its steps; the deadline is the step's own. A class that is
// missing or unknown counts as latency: somebody may be waiting.
void InheritUrgency(const Urgency& urgency, StepInfo& step);
AppClass ClassOf(const Urgency& urgency);

// For an engine: an id for a request that arrives, different in all processes of this machine.
std::uint64_t NextRequestId();

}  // namespace cbench::share
