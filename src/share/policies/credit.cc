// The project's own policy; docs/policies.md explains it with a worked example. In short, asked
// for the next step it answers, in this order:
//   1. a step that has waited for the starvation bound, one in each such time;
//   2. if a deadline has less than the slack to spare, the earliest deadline;
//   3. else whoever is owed most: a back-lane step only if its q95 fits before every deadline of
//      the latency class, and within the latency class the shortest request.
// A latency step that is expected within the hold competes as if it were there. If it wins, the
// device idles for it, no longer than the hold.
#include "share/policies/decision.h"
#include "share/policies/ledger.h"

namespace cbench::share {
namespace {

class Credit final : public Policy {
 public:
  using Policy::Policy;

  Choice Choose(const View& view) const override {
    if (view.waiting.empty() || FreeRoom(view).total <= 0) return {};
    return Decision(view, params()).Make();
  }

  void Arrive(std::span<Account> accounts, const StepView& step) const override {
    Rejoin(accounts, step.account, params(), step.asked);
    Policy::Arrive(accounts, step);
  }

  void Charge(std::span<Account> accounts, const StepView& step, Nanos measured,
              Nanos now) const override {
    Account& account = accounts[static_cast<std::size_t>(step.account)];
    Pay(accounts, step.account, measured, params(), now);
    if (step.why == Reason::kSlack) NoteBoost(account, measured, params(), now);
    if (step.why == Reason::kForced) account.last_forced = now - measured;
    Policy::Charge(accounts, step, measured, now);
  }
};

std::unique_ptr<Policy> Make(const PolicyParams& params) {
  return std::make_unique<Credit>(params);
}

}  // namespace

extern const PolicyDescriptor kCreditPolicy;
const PolicyDescriptor kCreditPolicy = {
    "credit", "deadlines in danger first, else whoever is owed most; see docs/policies.md", Make};

}  // namespace cbench::share
