#include "share/policy.h"

#include <string>

namespace cbench::share {

void Policy::Arrive(std::span<Account> accounts, const StepView& step) const {
  NoteArrival(accounts[static_cast<std::size_t>(step.account)], step);
}

void Policy::Charge(std::span<Account> accounts, const StepView& step, Nanos measured,
                    Nanos now) const {
  NoteService(accounts[static_cast<std::size_t>(step.account)], step, measured, now);
}

Result<std::unique_ptr<Policy>> MakePolicy(std::string_view name, const PolicyParams& params) {
  std::string known;
  for (const PolicyDescriptor* policy : Policies()) {
    if (policy->name == name) return policy->make(params);
    known += known.empty() ? policy->name : std::string(", ") + policy->name;
  }
  return InputError("unknown policy \"{}\"; there is {}", name, known);
}

}  // namespace cbench::share
