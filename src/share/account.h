// What is known of one app that shares the device: what it may claim (weight, credit), what it
// had, and what its requests look like. Lives in memory shared by several processes, so it is
// trivially copyable, of fixed size, and all zero is a valid empty account. All times are ns.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "base/clock.h"
#include "share/app_class.h"
#include "share/step_view.h"

namespace cbench::share {

constexpr int kMaxAccounts = 32;  // apps at once; policies look at no more

struct Account {
  char name[48] = {};  // NUL-terminated, cut if longer; empty: a free place
  AppClass app_class = AppClass::kLatency;
  double weight = 1;  // share of the device under contention, relative to the others'

  // What it may claim (policy `credit`).
  Nanos credit = 0;        // device time it is owed (> 0) or has had in advance (< 0)
  Nanos boost_window = 0;  // start of the current boost window
  Nanos boosted = 0;       // device time that slack alone won for it in that window
  Nanos last_forced = 0;   // when its last step began that the starvation bound forced

  // What it had.
  Nanos served = 0;        // device time in all
  std::int64_t steps = 0;  // finished steps
  Nanos last_cost = 0;     // of its last step
  Nanos last_active = 0;   // last arrival or release of a step; 0: never

  // Its current request. Requests of one app that overlap in time count as one after the other.
  std::uint64_t request = 0;  // id; 0: not told (then a pause of 50 ms ends a request)
  Nanos request_served = 0;   // device time this request had
  Nanos leg_deadline = 0;     // the deadline its last step ran under, and ...
  Nanos leg_spent = 0;        // ... the time spent towards it: on the device and in gaps
  Nanos leg_length = 0;       // from the deadline before to this one (time per token); 0: unknown
  std::int32_t leg = 0;       // deadlines it had before this one
  Nanos last_release = 0;     // end of its last step; 0: a step has arrived since
  Nanos next_request = 0;     // when its next request is expected; 0: unknown

  // What its requests are like: moving averages (alpha 0.2); 0: nothing seen yet.
  Nanos typical_request = 0;    // device time of a request
  Nanos typical_first_leg = 0;  // time spent until the first deadline (prefill, a caption)
  Nanos typical_leg = 0;        // time spent between later deadlines (a token, an image step)
  Nanos typical_budget = 0;     // first deadline - arrival
  Nanos typical_gap = 0;        // release of a step -> arrival of the same request's next one

  std::string_view Name() const { return name; }
};
static_assert(std::is_trivially_copyable_v<Account>);

void SetName(Account& account, std::string_view name);

// Notes a step that begins to wait at step.asked, or one that ended after `measured` at `now`.
void NoteArrival(Account& account, const StepView& step);
void NoteService(Account& account, const StepView& step, Nanos measured, Nanos now);

// Time that the step's request still needs until its deadline if it never has to wait: on the
// device, and in the gaps between its steps; at least the step's own predicted cost. A caption of
// 33 passes loses a third of its time in gaps, which no order of steps gives back.
Nanos RemainingToDeadline(const Account& account, const StepView& step);

// Device time of the step's request as a whole: what its app's requests take, or what this one is
// known to take if that is more.
Nanos SizeOfRequest(const Account& account, const StepView& step);

}  // namespace cbench::share
