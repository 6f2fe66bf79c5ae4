#include "share/step_hook.h"

#include <unistd.h>

#include <atomic>

namespace cbench::share {
namespace {

class FreeHook final : public StepHook {
  void Begin(const StepInfo&) override {}
  void End(const StepInfo&) override {}
};

}  // namespace

std::string_view Name(StepKind kind) {
  switch (kind) {
    case StepKind::kPrefill:
      return "prefill";
    case StepKind::kDecode:
      return "decode";
    case StepKind::kDenoise:
      return "denoise";
    case StepKind::kVae:
      return "vae";
    case StepKind::kEncode:
      return "encode";
    case StepKind::kDecodeAudio:
      return "decode_audio";
    case StepKind::kGraph:
      return "graph";
  }
  return "";
}

AppClass ClassOf(const Urgency& urgency) {
  return ParseAppClass(urgency.priority_class).value_or(AppClass::kLatency);
}

void InheritUrgency(const Urgency& urgency, StepInfo& step) {
  step.app = urgency.app;
  step.app_class = ClassOf(urgency);
  step.weight = urgency.weight;
  step.request = urgency.request;
  step.next_request = urgency.next_request;
}

std::uint64_t NextRequestId() {
  static std::atomic<std::uint32_t> count = 0;
  return static_cast<std::uint64_t>(getpid()) << 32 | ++count;
}

std::unique_ptr<StepHook> MakeFreeHook() { return std::make_unique<FreeHook>(); }

}  // namespace cbench::share
