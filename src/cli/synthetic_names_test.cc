// The scenario layer knows the synthetic models by name only; the engines make them. Both lists
// must hold the same names, or a scenario could name what cannot be made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded/model_store.h"
#include "scenario/scenario.h"

namespace cbench {
namespace {

TEST(SyntheticNames, AreTheModelsThatTheEnginesMake) {
  std::vector<std::string> made;
  for (const auto& model : embedded::SynthModels()) made.push_back(model.name);
  EXPECT_THAT(scenario::SyntheticNames(), testing::UnorderedElementsAreArray(made));
}

}  // namespace
}  // namespace cbench
