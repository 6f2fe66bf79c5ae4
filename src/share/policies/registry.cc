// The policies there are. A new one is a file in this folder and a line here.
#include "share/policy.h"

namespace cbench::share {

extern const PolicyDescriptor kOpenPolicy, kFifoPolicy, kPriorityPolicy, kCreditPolicy;

const std::vector<const PolicyDescriptor*>& Policies() {
  static const std::vector<const PolicyDescriptor*> policies = {&kOpenPolicy, &kFifoPolicy,
                                                                &kPriorityPolicy, &kCreditPolicy};
  return policies;
}

}  // namespace cbench::share
