// Strictly by class, within a class the step that has waited longest. Classes below can starve:
// the policy is here to show that.
#include <tuple>

#include "share/policies/room.h"

namespace cbench::share {
namespace {

class Priority final : public Policy {
 public:
  using Policy::Policy;
  Choice Choose(const View& view) const override {
    const auto rank = [&](const StepView& step) {
      return std::tuple(AccountOf(view, step).app_class, step.asked);
    };
    return First(view, Reason::kOrder,
                 [&](const StepView& a, const StepView& b) { return rank(a) < rank(b); });
  }
};

std::unique_ptr<Policy> Make(const PolicyParams& params) {
  return std::make_unique<Priority>(params);
}

}  // namespace

extern const PolicyDescriptor kPriorityPolicy;
const PolicyDescriptor kPriorityPolicy = {"priority",
                                          "the most urgent class, in it the longest wait", Make};

}  // namespace cbench::share
