// What every probe says and reads here at this moment. Each is asked on a thread of its own, so
// that one that hangs in a driver becomes an answer and not the end of the question.
#pragma once

#include <vector>

#include "monitor/probe.h"
#include "monitor/sampler.h"

namespace cbench::monitor {

struct ProbeSurvey {
  const ProbeDescriptor* probe = nullptr;
  Result<> available;                        // errors: why it is not there, or that it hangs
  std::vector<record::Sample> samples = {};  // the first reading, so that rates are null
};

// One for each of `probes`, in their order, after `limit` at the latest.
std::vector<ProbeSurvey> Survey(const System& system, Nanos limit = kGiveUp,
                                const std::vector<const ProbeDescriptor*>& probes = Probes());

}  // namespace cbench::monitor
