// Traces for the simulator, from any bytes; what parses is played under every policy if it is
// short enough to be quick.
#include <cstdint>
#include <cstdlib>

#include "share/simulator.h"

namespace cbench::share {
namespace {

std::size_t StepsOf(const std::vector<TraceApp>& trace) {
  std::size_t n = 0;
  for (const TraceApp& app : trace)
    for (const TraceRequest& request : app.requests) n += request.steps.size();
  return n;
}

void Play(const std::vector<TraceApp>& trace) {
  for (const PolicyDescriptor* policy : Policies()) {
    const auto played = Simulate(trace, *policy->make({}));
    if (!played || played->steps.size() != StepsOf(trace)) std::abort();
  }
}

}  // namespace
}  // namespace cbench::share

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cbench::share;
  const auto trace = ParseTrace({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (trace && StepsOf(*trace) <= 1000) Play(*trace);
  return 0;
}
