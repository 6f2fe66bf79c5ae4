// The scenario layer knows the synthetic models and their number formats by name only; the engines
// make them. Both lists must hold the same names, or a scenario could name what cannot be made.
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

TEST(SyntheticNames, HaveTheQuantsThatTheEnginesMake) {
  for (const auto& model : embedded::SynthModels()) {
    EXPECT_THAT(scenario::SyntheticQuants(model.name),
                testing::UnorderedElementsAreArray(model.quants))
        << model.name;
  }
  EXPECT_TRUE(scenario::SyntheticQuants("no-such-model").empty());
}

}  // namespace
}  // namespace cbench
