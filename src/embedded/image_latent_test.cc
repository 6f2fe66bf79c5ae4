#include "embedded/image_latent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace cbench::embedded {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

TEST(FlowSigmas, FollowTheShiftedSchedule) {
  // f(t) = 3t / (1 + 2t) at t = 1, (1 + f(0.001)) / 2 and f(0.001) = 0.002994012.
  EXPECT_THAT(FlowSigmas(3),
              ElementsAre(1.0f, FloatNear(0.7511211f, 1e-6f), FloatNear(0.0089286f, 1e-6f), 0.0f));
  EXPECT_THAT(FlowSigmas(1), ElementsAre(1.0f, 0.0f));
}

TEST(FlowSigmas, WithoutShiftAreEven) {
  EXPECT_THAT(FlowSigmas(2, 1.0f), ElementsAre(1.0f, FloatNear(0.001f, 1e-7f), 0.0f));
}

TEST(FlowSigmas, FallStrictlyForAnyNumberOfSteps) {
  for (int steps = 1; steps <= 100; ++steps) {
    const auto sigmas = FlowSigmas(steps);
    ASSERT_EQ(sigmas.size(), static_cast<std::size_t>(steps) + 1);
    for (std::size_t i = 1; i < sigmas.size(); ++i) ASSERT_LT(sigmas[i], sigmas[i - 1]);
  }
}

TEST(EulerStep, MovesAlongTheVelocity) {
  std::vector<float> latent = {1.0f, -2.0f};
  EulerStep(latent, {4.0f, 8.0f}, 1.0f, 0.75f);
  EXPECT_THAT(latent, ElementsAre(0.0f, -4.0f));
}

TEST(EulerStep, ArrivesWhereAStraightFlowLeads) {
  const std::vector<float> noise = {2.0f, -1.0f}, picture = {0.5f, 3.0f};
  std::vector<float> velocity = {noise[0] - picture[0], noise[1] - picture[1]}, latent = noise;
  const auto sigmas = FlowSigmas(7);
  for (std::size_t i = 0; i + 1 < sigmas.size(); ++i) {
    EulerStep(latent, velocity, sigmas[i], sigmas[i + 1]);
  }
  EXPECT_THAT(latent, ElementsAre(FloatNear(0.5f, 1e-5f), FloatNear(3.0f, 1e-5f)));
}

TEST(Guide, ExtrapolatesFromTheEmptyPrompt) {
  const std::vector<float> conditional = {2.0f, 1.0f}, unconditional = {1.0f, 1.0f};
  EXPECT_THAT(Guide(conditional, unconditional, 4.0f), ElementsAre(5.0f, 1.0f));
  EXPECT_THAT(Guide(conditional, unconditional, 1.0f), ElementsAre(2.0f, 1.0f));
}

TEST(Noise, IsNormalAndFollowsItsSeed) {
  const auto noise = Noise(42, 20000);
  const double mean = std::accumulate(noise.begin(), noise.end(), 0.0) / 20000;
  double variance = 0;
  for (const float v : noise) variance += (v - mean) * (v - mean) / 20000;
  EXPECT_NEAR(mean, 0.0, 0.03);
  EXPECT_NEAR(variance, 1.0, 0.05);
  EXPECT_EQ(noise, Noise(42, 20000));
  EXPECT_NE(noise, Noise(43, 20000));
}

TEST(Patchify, PutsChannelThenRowThenColumnIntoAToken) {
  MmditDims dims;
  dims.latent_channels = 2;
  // Two channels of 2 rows by 4 columns: two tokens side by side.
  const std::vector<float> latent = {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17};
  EXPECT_THAT(Patchify(latent, dims, 4, 2),
              ElementsAre(0, 1, 4, 5, 10, 11, 14, 15, 2, 3, 6, 7, 12, 13, 16, 17));
}

TEST(Unpatchify, TakesRowThenColumnThenChannelFromAToken) {
  MmditDims dims;
  dims.latent_channels = 2;
  const std::vector<float> tokens = {0, 10, 1, 11, 4, 14, 5, 15, 2, 12, 3, 13, 6, 16, 7, 17};
  EXPECT_THAT(Unpatchify(tokens, dims, 4, 2),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17));
}

TEST(Unpatchify, UndoesPatchifyUpToTheOrderWithinAToken) {
  const MmditDims dims;
  const int width = 6, height = 4;
  const auto latent = Noise(1, static_cast<std::size_t>(16 * width * height));
  auto tokens = Patchify(latent, dims, width, height);
  std::vector<float> reordered;
  for (std::size_t start = 0; start < tokens.size(); start += 64) {
    for (std::size_t place = 0; place < 4; ++place) {
      for (std::size_t c = 0; c < 16; ++c) reordered.push_back(tokens[start + c * 4 + place]);
    }
  }
  EXPECT_EQ(Unpatchify(reordered, dims, width, height), latent);
}

TEST(CroppedPositions, ComeFromTheCentreOfTheTable) {
  MmditDims dims;
  dims.pos_max = 8;
  EXPECT_THAT(CroppedPositions(dims, 2, 3), ElementsAre(19, 20, 27, 28, 35, 36));
  dims.pos_max = 2;
  EXPECT_THAT(CroppedPositions(dims, 2, 2), ElementsAre(0, 1, 2, 3));
}

}  // namespace
}  // namespace cbench::embedded
