// Whole images from the test model: determinism, steps and their hooks, guidance, groups, stopping.
#include "embedded/image_engine.h"

#include <set>

#include "embedded/image_testing.h"

namespace cbench::embedded {
namespace {

class CountingHook final : public share::StepHook {
 public:
  void Begin(const share::StepInfo& step) override {
    EXPECT_FALSE(open);
    open = true;
    steps.push_back(step);
  }
  void End(const share::StepInfo&) override { open = false; }
  std::vector<share::StepInfo> steps;
  bool open = false;
};

class ImageEngineTest : public testing::Test {
 protected:
  std::unique_ptr<ImageEngine> Load(int groups = 1, int tile = 64) {
    auto engine = ImageEngine::Load(
        TestModel("q8_0"), {.device = "cpu", .threads = 2, .groups = groups, .vae_tile = tile},
        hook_);
    EXPECT_TRUE(engine) << engine.error().message;
    return std::move(*engine);
  }
  static ImageJob Job() {
    return {.prompt = "a lighthouse",
            .width = 64,
            .height = 96,
            .steps = 2,
            .guidance = 4.5f,
            .seed = 1,
            .on_step = {},
            .stopped = {}};
  }
  static std::vector<std::uint8_t> Pixels(ImageEngine& engine, const ImageJob& job) {
    const auto image = engine.Generate(job);
    EXPECT_TRUE(image) << image.error().message;
    return image->pixels;
  }
  CountingHook hook_;
};

TEST_F(ImageEngineTest, MakesAPictureOfTheSizeAskedFor) {
  const auto image = Load()->Generate(Job());
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(image->width, 64);
  EXPECT_EQ(image->height, 96);
  ASSERT_EQ(image->pixels.size(), 3u * 64 * 96);
  EXPECT_GT(std::set<std::uint8_t>(image->pixels.begin(), image->pixels.end()).size(), 100u)
      << "a flat picture means that something was multiplied by 0, or was not a number";
}

TEST_F(ImageEngineTest, IsDeterministicInPromptSeedAndGuidance) {
  const auto engine = Load();
  const auto first = Pixels(*engine, Job());
  ImageJob seed = Job(), prompt = Job(), guidance = Job();
  seed.seed = 2;
  prompt.prompt = "a harbour";
  guidance.guidance = 1.0f;
  EXPECT_NE(Pixels(*engine, seed), first);
  EXPECT_NE(Pixels(*engine, prompt), first);
  EXPECT_NE(Pixels(*engine, guidance), first);
  EXPECT_EQ(Pixels(*engine, Job()), first) << "nothing is left over from the images between";
  EXPECT_EQ(Pixels(*Load(), Job()), first);
}

TEST_F(ImageEngineTest, GroupsAskMoreOftenAndChangeNothing) {
  const auto whole = Pixels(*Load(1), Job());
  EXPECT_EQ(hook_.steps.size(), 3u);
  hook_.steps.clear();
  EXPECT_EQ(Pixels(*Load(2), Job()), whole);
  EXPECT_EQ(hook_.steps.size(), 5u) << "two steps of two groups, and the VAE";
}

TEST_F(ImageEngineTest, TellsTheHookKindSizeAndDeadline) {
  ImageJob job = Job();
  job.urgency.deadline = Now() + 60 * kSecond;
  Pixels(*Load(), job);
  ASSERT_EQ(hook_.steps.size(), 3u);
  EXPECT_EQ(hook_.steps[0].kind, share::StepKind::kDenoise);
  EXPECT_EQ(hook_.steps[0].size, 4 * 6);
  EXPECT_EQ(hook_.steps[0].deadline, job.urgency.deadline);
  EXPECT_EQ(hook_.steps[2].kind, share::StepKind::kVae);
  hook_.steps.clear();
  job.urgency.per_step = 5 * kSecond;
  Pixels(*Load(), job);
  EXPECT_LT(hook_.steps[0].deadline, hook_.steps[1].deadline);
  EXPECT_LT(hook_.steps[1].deadline, job.urgency.deadline);
  EXPECT_EQ(hook_.steps[2].deadline, job.urgency.deadline);
}

TEST_F(ImageEngineTest, TilesTheVaeWhenTheImageIsLarger) {
  ImageJob job = Job();
  job.width = 128;
  Pixels(*Load(1, 16), job);
  EXPECT_EQ(hook_.steps.size(), 2u + 1u) << "16 by 12 latents fit one tile";
  hook_.steps.clear();
  job.width = 192;
  Pixels(*Load(1, 16), job);
  EXPECT_EQ(hook_.steps.size(), 2u + 2u);
}

TEST_F(ImageEngineTest, ReportsStepsAsTheyAreDone) {
  ImageJob job = Job();
  std::vector<int> seen;
  job.on_step = [&](int step, Nanos took) {
    EXPECT_EQ(hook_.steps.size(), static_cast<std::size_t>(step));
    EXPECT_FALSE(hook_.open);
    EXPECT_GT(took, 0);
    seen.push_back(step);
  };
  Pixels(*Load(), job);
  EXPECT_EQ(seen, (std::vector<int>{1, 2}));
}

TEST_F(ImageEngineTest, StopsBetweenGroupsAndGoesOnWithTheNextImage) {
  const auto engine = Load(2);
  ImageJob job = Job();
  job.stopped = [&] { return hook_.steps.size() >= 3; };
  const auto stopped = engine->Generate(job);
  ASSERT_FALSE(stopped);
  EXPECT_NE(stopped.error().message.find("cancelled"), std::string::npos);
  EXPECT_EQ(hook_.steps.size(), 3u);
  const auto after = Pixels(*engine, Job());
  EXPECT_EQ(after, Pixels(*Load(2), Job()));
}

TEST_F(ImageEngineTest, SaysWhichFileItCannotLoad) {
  const auto engine = ImageEngine::Load("/no/such.gguf", {.device = "cpu"}, hook_);
  ASSERT_FALSE(engine);
  EXPECT_NE(engine.error().message.find("/no/such.gguf"), std::string::npos);
}

}  // namespace
}  // namespace cbench::embedded
