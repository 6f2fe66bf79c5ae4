#include "share/step_hook.h"

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
  }
  return "";
}

std::unique_ptr<StepHook> MakeFreeHook() { return std::make_unique<FreeHook>(); }

}  // namespace cbench::share
