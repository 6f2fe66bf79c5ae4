// Grants at once, whatever the lanes say: for measuring waits and shares under strategies in
// which nothing is arranged.
#include "share/policy.h"

namespace cbench::share {
namespace {

class Open final : public Policy {
 public:
  using Policy::Policy;
  Choice Choose(const View& view) const override {
    if (view.waiting.empty()) return {};
    return {.waiting = 0, .why = Reason::kOpen};
  }
};

std::unique_ptr<Policy> Make(const PolicyParams& params) { return std::make_unique<Open>(params); }

}  // namespace

extern const PolicyDescriptor kOpenPolicy;
const PolicyDescriptor kOpenPolicy = {"open", "grants every step at once, keeps accounts only",
                                      Make};

}  // namespace cbench::share
