// Who gets the device next. A policy is stateless code over plain data: the accounts and steps
// live wherever the caller keeps them (the gate: in memory shared by processes), and the same
// policy runs in whichever process asks. Its functions allocate nothing, take no lock and read no
// clock; Choose takes about 0.1 us with one waiter, 0.3 us with four, 5 us with kMaxSteps. How a
// grant is enforced is not its business.
//
// The caller's duty, in order: Arrive when a step begins to wait; then Choose, again and again
// until it names nobody; at the end of a step Charge, then Choose again. A step that gives up
// waiting is just left out of the next View.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "share/account.h"
#include "share/app_class.h"
#include "share/step_view.h"

namespace cbench::share {

constexpr int kMaxSteps = 64;  // waiting steps a policy looks at; those beyond wait longer

struct View {
  Nanos now = 0;
  std::span<const Account> accounts;  // empty places included
  std::span<const StepView> waiting;  // in any order
  std::span<const StepView> running;
  Lanes lanes;
};

struct Choice {
  int waiting = -1;            // index into View::waiting to grant now; -1: nobody
  Reason why = Reason::kNone;  // put into the granted step's `why`
  Nanos look_again = 0;        // nobody now: ask again at this time even if nothing happens; 0: no
};

// Times in ns. Where each default comes from: docs/policies.md.
struct PolicyParams {
  Nanos cap = kSecond;                  // most credit or debt of an account
  Nanos memory = 10 * kSecond;          // an app away for longer neither earns nor keeps credit
  Nanos slack = 50 * kMillisecond;      // a deadline with less to spare goes first
  Nanos hold = 6 * kMillisecond;        // longest wait for a request's next pass
  Nanos starvation = 2 * kSecond;       // a step that waited so long is forced, one per such time
  Nanos back_step = 15 * kMillisecond;  // advice to engines: cut back-lane steps to about this
  Nanos boost_window = kSecond;         // in each such window ...
  double boost_share = 0.5;             // ... an app gets this share at most by slack alone
  bool use_slack = true;                // ablation: deadlines count
  bool anticipate = true;               // ablation: hold for the next pass
  bool use_credit = true;               // ablation: credits decide, else the longest wait
};
static_assert(std::is_trivially_copyable_v<PolicyParams>);

class Policy {
 public:
  explicit Policy(const PolicyParams& params) : params_(params) {}
  virtual ~Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;

  const PolicyParams& params() const { return params_; }

  // Whom to grant now. Call again after a grant: there may be room for another.
  virtual Choice Choose(const View& view) const = 0;

  // `step` begins to wait at step.asked.
  virtual void Arrive(std::span<Account> accounts, const StepView& step) const;

  // `step` ended at `now`, having held the device for `measured` (where steps share
  // the device: what it would have taken alone, so that nobody pays for being disturbed).
  virtual void Charge(std::span<Account> accounts, const StepView& step, Nanos measured,
                      Nanos now) const;

 private:
  PolicyParams params_;
};

struct PolicyDescriptor {
  const char* name;
  const char* summary;
  std::unique_ptr<Policy> (*make)(const PolicyParams& params);
};
const std::vector<const PolicyDescriptor*>& Policies();

// By name: open, fifo, priority, credit. The error lists what there is.
Result<std::unique_ptr<Policy>> MakePolicy(std::string_view name, const PolicyParams& params = {});

}  // namespace cbench::share
