// A workload for the simulator: apps, their requests, and the steps of each with what they cost
// alone. The text format, one thing a line, '#' begins a comment, durations as in scenarios:
//   app NAME CLASS [weight=W]
//   request [at=TIME | after=PAUSE] [deadline=D] [per_step=D] [announce=yes] [times=N every=D]
//   step KIND cost=D [size=N] [gap=D] [times=N]
// A request belongs to the app above it, a step to the request above it. An app's requests are
// served one after the other: `at` counts from the trace's start (a late request waits, its
// deadline does not), `after` from the end of the one before. `deadline` counts from then and is
// that of the first steps (all prefill steps; all steps if there is no per_step); each later step
// is due per_step after the end of the one before. `gap` is time the app spends off the device
// before the step. `times=N every=D` makes N such requests at `at`, `at` + D, ... `announce`
// tells the policy when the next request comes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "share/app_class.h"
#include "share/step_hook.h"

namespace cbench::share {

struct TraceStep {
  StepKind kind = StepKind::kDecode;
  int size = 1;
  Nanos cost = 0, gap = 0;
};

struct TraceRequest {
  Nanos at = 0;
  bool after = false;  // `at` counts from the end of the request before
  Nanos deadline = 0, per_step = 0;
  bool announce = false;
  std::vector<TraceStep> steps;
};

struct TraceApp {
  std::string name;
  AppClass app_class = AppClass::kLatency;
  double weight = 1;
  std::vector<TraceRequest> requests;
};

// At most kMaxAccounts apps, kMaxTraceSteps steps in all, no time over an hour. Errors are
// InputError with `name`:line.
Result<std::vector<TraceApp>> ParseTrace(std::string_view text, std::string_view name);

constexpr int kMaxTraceSteps = 1'000'000;

}  // namespace cbench::share
