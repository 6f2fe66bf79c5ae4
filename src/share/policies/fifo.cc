// First come, first served, lane by lane: on a device with one place, strictly in order.
#include "share/policies/room.h"

namespace cbench::share {
namespace {

class Fifo final : public Policy {
 public:
  using Policy::Policy;
  Choice Choose(const View& view) const override {
    return First(view, Reason::kOrder,
                 [](const StepView& a, const StepView& b) { return a.asked < b.asked; });
  }
};

std::unique_ptr<Policy> Make(const PolicyParams& params) { return std::make_unique<Fifo>(params); }

}  // namespace

extern const PolicyDescriptor kFifoPolicy;
const PolicyDescriptor kFifoPolicy = {"fifo", "the step that has waited longest", Make};

}  // namespace cbench::share
