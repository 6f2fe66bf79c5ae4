// base/limits.h is the one place that says how much an engine takes: a scenario may ask for each
// limit, and for nothing beyond it.
#include "base/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/scenario.h"

namespace cbench::scenario {
namespace {

using testing::HasSubstr;

Result<Scenario> WithEngine(const std::string& key, int value) {
  return Parse(fmt::format("consumerbench: 1\n"
                           "engines: {{e: {{use: embedded-text, model: 'synth:llama-test', "
                           "{}: {}}}}}\n"
                           "apps: {{a: {{type: 'null'}}}}\nworkflow: {{t: {{app: a}}}}\n",
                           key, value),
               "limits.yaml");
}

Result<Scenario> WithImage(const std::string& settings) {
  return Parse(fmt::format("consumerbench: 1\n"
                           "engines: {{e: {{use: embedded-image, model: 'synth:sd3.5-test'}}}}\n"
                           "apps: {{a: {{type: image_gen, engine: e, {}}}}}\n"
                           "workflow: {{t: {{app: a}}}}\n",
                           settings),
               "limits.yaml");
}

Result<Scenario> WithRepeat(int repeat) {
  return Parse(fmt::format("consumerbench: 1\nrepeat: {}\n"
                           "apps: {{a: {{type: 'null'}}}}\nworkflow: {{t: {{app: a}}}}\n",
                           repeat),
               "limits.yaml");
}

void ExpectRange(const std::function<Result<Scenario>(int)>& with, int least, int most) {
  EXPECT_TRUE(with(least));
  EXPECT_TRUE(with(most));
  for (const int beyond : {least - 1, most + 1}) {
    const auto scenario = with(beyond);
    ASSERT_FALSE(scenario) << beyond;
    EXPECT_EQ(scenario.error().kind, ErrorKind::kInput);
    EXPECT_THAT(scenario.error().message, HasSubstr(fmt::format("from {} to {}", least, most)));
  }
}

TEST(Limits, OfEngines) {
  const auto key = [](const char* name) {
    return [name](int value) { return WithEngine(name, value); };
  };
  ExpectRange(key("parallel"), 1, limits::kParallel);
  ExpectRange(key("context"), limits::kMinContext, limits::kContext);
  ExpectRange(key("threads"), 0, limits::kThreads);
}

TEST(Limits, OfImages) {
  ExpectRange([](int steps) { return WithImage(fmt::format("steps: {}", steps)); }, 1,
              limits::kImageSteps);
  const auto square = [](int side) { return WithImage(fmt::format("size: {0}x{0}", side)); };
  EXPECT_TRUE(square(limits::kMinImageSide));
  EXPECT_TRUE(square(limits::kImageSide));
  EXPECT_TRUE(square(limits::kMinImageSide + limits::kImageSideStep));
  EXPECT_FALSE(square(limits::kMinImageSide - limits::kImageSideStep));
  EXPECT_FALSE(square(limits::kImageSide + limits::kImageSideStep));
  EXPECT_FALSE(square(limits::kMinImageSide + 1));
}

TEST(Limits, OfRepetitions) { ExpectRange(WithRepeat, 1, limits::kRepetitions); }

}  // namespace
}  // namespace cbench::scenario
