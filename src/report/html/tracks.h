// The requests and steps of one run, on its time axis, for the timeline of the page.
#pragma once

#include "base/json.h"
#include "report/facts.h"
#include "report/plan.h"

namespace cbench::report {

// How many spans the page can hold, over all its runs; it says so where more were measured.
struct SpanBudget {
  std::size_t requests = 25'000, steps = 45'000;
  std::size_t ticks = 40'000;  // stamps of tokens and denoising steps, where there are no steps
};

Json RequestsJson(const RunFacts& run, const Plan& plan, std::size_t most);
Json StepsJson(const RunFacts& run, std::size_t most);
Json TicksJson(const RunFacts& run, std::size_t most);

}  // namespace cbench::report
