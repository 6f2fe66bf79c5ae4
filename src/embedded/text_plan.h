// Whose tokens go into the text engine's next step.
//
// All in one step take as long as the step takes. So where the step hook arranges who has the
// device, the same order holds inside the engine: tokens of the latency class first, and of the
// others only what the next tokens of its answers can spare before they are due. A lower class that
// got nothing for the starvation bound gets a little all the same.
#pragma once

#include <span>
#include <vector>

#include "embedded/prompt_pace.h"
#include "share/app_class.h"

namespace cbench::embedded {

// A request that has a slot.
struct Claim {
  share::AppClass app_class = share::AppClass::kLatency;
  Nanos begun = 0;      // prompts go in the order in which they came
  Nanos served = 0;     // when it last had a token computed
  Nanos deadline = 0;   // of its next token; 0: none
  int prompt_left = 0;  // tokens; 0: it is answering
};

struct StepLimits {
  int tokens = 0;         // in all
  Nanos longest = 0;      // advice for the prompts' part; 0: none
  bool arranged = false;  // classes and deadlines count
};

// How many tokens of each claim, in their order. An answer's is one or none.
std::vector<int> PlanStep(std::span<const Claim> claims, const PromptPace& pace,
                          const StepLimits& limits, Nanos now);

}  // namespace cbench::embedded
