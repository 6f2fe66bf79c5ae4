#include <gmock/gmock.h>

#include "app/testing.h"

namespace cbench::app {
namespace {

using scenario::AppType;
using scenario::SloMetric;

TEST(ImageGen, SendsOptionsPromptAndASeedOfItsOwn) {
  Bench bench(AppType::kImageGen);
  bench.task.requests = 3;
  bench.spec.steps = 4;
  bench.spec.width = 256;
  bench.spec.guidance = 1.5;
  bench.spec.slo = {{SloMetric::kStep, kSecond}};
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  ASSERT_EQ(bench.engine.images.size(), 3u);
  const engine::ImageRequest& first = bench.engine.images[0];
  EXPECT_EQ(first.steps, 4);
  EXPECT_EQ(first.width, 256);
  EXPECT_EQ(first.height, 512);
  EXPECT_EQ(first.guidance, 1.5);
  EXPECT_NE(first.prompt, "");
  EXPECT_NE(first.prompt, bench.engine.images[1].prompt);
  EXPECT_NE(first.seed, bench.engine.images[1].seed);
  EXPECT_EQ(first.urgency.per_step, kSecond);
  EXPECT_EQ(first.urgency.deadline, first.t_sched + 4 * kSecond);
  EXPECT_EQ(bench.sink.issued[2].kind, "image");
}

TEST(ImageGen, SameSeedSameImages) {
  Bench one(AppType::kImageGen), two(AppType::kImageGen);
  one.task.requests = two.task.requests = 4;
  ASSERT_TRUE(one.PrepareAndRun().has_value());
  ASSERT_TRUE(two.PrepareAndRun().has_value());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(one.engine.images[i].prompt, two.engine.images[i].prompt);
    EXPECT_EQ(one.engine.images[i].seed, two.engine.images[i].seed);
  }
}

TEST(ImageGen, IssuesNothingOnceCancelled) {
  Bench bench(AppType::kImageGen);
  bench.cancel.Trigger();
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_TRUE(bench.sink.issued.empty());
}

}  // namespace
}  // namespace cbench::app
