// A step as a policy sees it, while it waits for the device, runs, or has just ended.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "base/clock.h"
#include "share/step_hook.h"

namespace cbench::share {

// Why a step was chosen; kept with the hold record, and with the step until it is charged.
enum class Reason : std::uint8_t {
  kNone,    // not chosen
  kOpen,    // nothing is arranged
  kOrder,   // first in the policy's order (fifo, priority)
  kCredit,  // its account is owed most, or nobody else wants the device
  kShort,   // the latency class's shortest request
  kSlack,   // ahead of its turn, or its deadline is lost
  kForced,  // waited longer than the starvation bound
};
std::string_view Name(Reason why);  // none, open, order, credit, short, slack, forced

struct StepView {
  int account = 0;  // index into the accounts
  StepKind kind = StepKind::kDecode;
  Reason why = Reason::kNone;  // why it was granted, once it was
  int size = 0, context = 0;   // as in StepInfo
  Nanos asked = 0;             // when it began to wait
  Nanos deadline = 0;          // when its request needs it done; 0: none
  Nanos next_request = 0;      // when its app expects its next request; 0: unknown
  Nanos cost = 0;              // predicted device time, mean
  Nanos cost_q95 = 0;          // ... and what 95 of 100 such steps stay under
  std::uint64_t request = 0;   // id of its request; the same for all of a request's steps
};
static_assert(std::is_trivially_copyable_v<StepView>);

}  // namespace cbench::share
