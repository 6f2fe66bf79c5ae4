// Any bytes at all as a scenario: an error or a scenario whose every reader works, never a crash.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "scenario/scenario.h"

namespace {

void Use(const cbench::scenario::Scenario& scenario) {
  cbench::DumpJson(cbench::scenario::ToJson(scenario));
  cbench::scenario::MissingModels(scenario);
  if (cbench::scenario::TopologicalOrder(scenario).size() != scenario.tasks.size()) std::abort();
  for (const auto& task : scenario.tasks) {
    if (!scenario.FindApp(task.app) || task.requests < 1) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using cbench::scenario::Synthetic;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const Synthetic synthetic : {Synthetic::kOff, Synthetic::kDemo}) {
    const auto scenario = cbench::scenario::Parse(text, "fuzz.yaml", {synthetic});
    if (scenario) Use(*scenario);
    if (!scenario && !scenario.error().message.starts_with("fuzz.yaml:")) std::abort();
  }
  return 0;
}
