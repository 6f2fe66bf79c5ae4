#include "share/policies/candidates.h"

#include <algorithm>

#include "share/policies/ledger.h"

namespace cbench::share {
namespace {

bool IsBusy(const View& view, int account) {
  const auto is_its = [&](const StepView& step) { return step.account == account; };
  return std::any_of(view.waiting.begin(), view.waiting.end(), is_its) ||
         std::any_of(view.running.begin(), view.running.end(), is_its);
}

// A lost deadline is no reason to disturb those that can still be met.
Nanos MeetableDeadline(const View& view, const PolicyParams& params, const Account& account,
                       const StepView& step, Nanos to_deadline) {
  const bool counts = params.use_slack && account.app_class != AppClass::kBackground &&
                      MayBoost(account, params, view.now);
  const Nanos start = std::max(view.now, step.asked);
  return counts && step.deadline >= start + to_deadline ? step.deadline : 0;
}

}  // namespace

Candidates::Candidates(const View& view, const PolicyParams& params, bool expected) {
  AddWaiting(view, params);
  if (expected) AddExpected(view, params);
}

Candidate& Candidates::Add(const View& view, const PolicyParams& params, const StepView& step) {
  const Account& account = AccountOf(view, step);
  const Nanos to_deadline = RemainingToDeadline(account, step);
  return all_[count_++] = {
             .waiting = -1,
             .account = step.account,
             .app_class = account.app_class,
             .announced = false,
             .asked = step.asked,
             .hold_until = 0,
             .deadline = MeetableDeadline(view, params, account, step, to_deadline),
             .q95 = std::max(step.cost_q95, step.cost),
             .to_deadline = to_deadline,
             .of_request = SizeOfRequest(account, step),
             .credit = params.use_credit ? account.credit : 0,
         };
}

void Candidates::AddWaiting(const View& view, const PolicyParams& params) {
  const std::size_t n = std::min<std::size_t>(view.waiting.size(), kMaxSteps);
  for (std::size_t i = 0; i < n; ++i)
    Add(view, params, view.waiting[i]).waiting = static_cast<int>(i);
}

void Candidates::AddExpected(const View& view, const PolicyParams& params) {
  const auto n = static_cast<int>(std::min<std::size_t>(view.accounts.size(), kMaxAccounts));
  for (int account = 0; account < n; ++account) {
    const Account& app = view.accounts[static_cast<std::size_t>(account)];
    if (app.app_class != AppClass::kLatency || app.last_release == 0) continue;
    if (IsBusy(view, account)) continue;
    AddNextPass(view, params, account);
    AddAnnounced(view, params, account);
  }
}

// Expected only while the hold lasts, and only of an app whose passes used to come so soon.
void Candidates::AddNextPass(const View& view, const PolicyParams& params, int account) {
  const Account& app = view.accounts[static_cast<std::size_t>(account)];
  const Nanos until = app.last_release + params.hold;
  if (view.now >= until || app.typical_gap > params.hold) return;
  const StepView next{.account = account,
                      .asked = app.last_release,
                      .deadline = app.leg_deadline == 0 ? 0 : app.leg_deadline + app.leg_length,
                      .cost = app.last_cost,
                      .request = app.request};
  Add(view, params, next).hold_until = until;
}

void Candidates::AddAnnounced(const View& view, const PolicyParams& params, int account) {
  const Account& app = view.accounts[static_cast<std::size_t>(account)];
  const Nanos wait = app.next_request - view.now;
  if (wait <= 0 || wait > params.hold || app.typical_budget == 0) return;
  const StepView next{.account = account,
                      .asked = app.next_request,
                      .deadline = app.next_request + app.typical_budget,
                      .cost = std::max(app.typical_first_leg, app.last_cost),
                      .request = app.request + 1};
  Candidate& candidate = Add(view, params, next);
  candidate.hold_until = app.next_request;
  candidate.announced = true;
}

}  // namespace cbench::share
