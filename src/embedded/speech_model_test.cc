#include "embedded/speech_model.h"

#include <gtest/gtest.h>

#include <fstream>

#include "embedded/speech_test_model.h"
#include "embedded/speech_test_sounds.h"

namespace cbench::embedded {
namespace {

using share::StepKind;

// Remembers the steps and checks that they never overlap.
class Recorder final : public share::StepHook {
 public:
  void Begin(const share::StepInfo& step) override {
    EXPECT_FALSE(inside_);
    inside_ = true;
    begun_.push_back(step);
  }
  void End(const share::StepInfo& step) override {
    EXPECT_TRUE(inside_);
    inside_ = false;
    ended_.push_back(step);
  }
  long Count(StepKind kind) const {
    return std::count_if(ended_.begin(), ended_.end(),
                         [&](const share::StepInfo& step) { return step.kind == kind; });
  }
  const std::vector<share::StepInfo>& begun() const { return begun_; }
  bool inside() const { return inside_; }

 private:
  bool inside_ = false;
  std::vector<share::StepInfo> begun_, ended_;
};

const SpeechModelOptions kOneThread = {.device = "cpu", .pool = {.threads = 1}};

class SpeechModelTest : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded = SpeechModel::Load(MakeTestModel("q8_0"), kOneThread);
    ASSERT_TRUE(loaded) << loaded.error().message;
    model_ = std::move(*loaded);
  }
  Result<Transcript> Transcribe(double seconds, const SpeechTask& task, const Stop& stop = {}) {
    return model_->Transcribe(Tone(seconds, 440, kSampleRate), task, hook_, stop);
  }
  std::unique_ptr<SpeechModel> model_;
  Recorder hook_;
};

TEST_F(SpeechModelTest, CaptionIsOneEncoderPassAnd33DecoderPasses) {
  const auto transcript = Transcribe(
      2, {.language = "en", .urgency = {.app = "captions", .priority_class = "", .deadline = 77}});
  ASSERT_TRUE(transcript) << transcript.error().message;
  EXPECT_EQ(transcript->output_tokens, 33);
  EXPECT_EQ(transcript->encoder_positions, 128);
  EXPECT_EQ(hook_.Count(StepKind::kEncode), 1);
  EXPECT_EQ(hook_.Count(StepKind::kDecodeAudio), 33);
  EXPECT_EQ(hook_.begun().size(), 34u);
  EXPECT_FALSE(hook_.inside());
  EXPECT_EQ(hook_.begun()[0].kind, StepKind::kEncode);
  EXPECT_EQ(hook_.begun()[0].size, 128);
  EXPECT_EQ(hook_.begun()[1].size, 4);  // start, language, transcribe, no timestamps
  EXPECT_EQ(hook_.begun()[2].size, 1);
  for (const auto& step : hook_.begun()) {
    EXPECT_EQ(step.deadline, 77);
    EXPECT_EQ(step.app, "captions");
  }
  EXPECT_FALSE(transcript->Text().empty());
  EXPECT_GT(transcript->encode, 0);
  EXPECT_GT(transcript->decode, 0);
}

TEST_F(SpeechModelTest, SameInputGivesTheSameText) {
  for (const double temperature : {0.0, 0.8}) {
    const SpeechTask task{.language = "en", .temperature = temperature};
    const auto first = Transcribe(2, task), second = Transcribe(2, task);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->Text(), second->Text());
  }
}

TEST_F(SpeechModelTest, FindsTheLanguageInOneMorePass) {
  const auto transcript = Transcribe(1, {});
  ASSERT_TRUE(transcript);
  EXPECT_EQ(hook_.Count(StepKind::kDecodeAudio), 34);
  EXPECT_GE(whisper_lang_id(transcript->language.c_str()), 0);
}

TEST_F(SpeechModelTest, RefusesAnUnknownLanguage) {
  const auto transcript = Transcribe(1, {.language = "xx"});
  ASSERT_FALSE(transcript);
  EXPECT_EQ(transcript.error().kind, ErrorKind::kInput);
  EXPECT_TRUE(hook_.begun().empty());
}

TEST_F(SpeechModelTest, LongAudioTakesSeveralWindows) {
  const auto transcript = Transcribe(70, {.language = "en"});
  ASSERT_TRUE(transcript) << transcript.error().message;
  EXPECT_GE(transcript->segments.size(), 3u);
  EXPECT_EQ(hook_.Count(StepKind::kEncode), static_cast<long>(transcript->segments.size()));
  EXPECT_EQ(transcript->segments.front().start, 0);
  EXPECT_NEAR(transcript->segments.back().end, 70, 0.001);
}

TEST_F(SpeechModelTest, APromptComesFirst) {
  const auto transcript =
      Transcribe(1, {.language = "en", .prompt = "Scheduling, caches and queues."});
  ASSERT_TRUE(transcript);
  EXPECT_GT(transcript->prompt_tokens, 8);
  EXPECT_EQ(hook_.begun()[1].size, transcript->prompt_tokens);
}

TEST_F(SpeechModelTest, AVeryLongPromptIsCut) {
  const auto transcript =
      Transcribe(1, {.language = "en", .prompt = std::string(1'000'000, 'a') + " \xC3\xA9"});
  ASSERT_TRUE(transcript) << transcript.error().message;
  EXPECT_LE(transcript->prompt_tokens, 228);
}

TEST_F(SpeechModelTest, StopsBetweenPasses) {
  int asked = 0;
  const auto transcript = Transcribe(2, {.language = "en"}, [&] { return ++asked > 5; });
  ASSERT_FALSE(transcript);
  EXPECT_EQ(transcript.error().kind, ErrorKind::kFailure);
  EXPECT_EQ(hook_.begun().size(), 5u);
  EXPECT_FALSE(hook_.inside());
  EXPECT_TRUE(Transcribe(2, {.language = "en"}));  // and is fit for the next request
}

TEST_F(SpeechModelTest, FactsNameTheSyntheticWeights) {
  const Json facts = model_->Facts();
  EXPECT_EQ(facts["synthetic"], true);
  EXPECT_EQ(facts["architecture"], "whisper");
  EXPECT_EQ(facts["quant"], "q8_0");
  EXPECT_EQ(facts["parameters"], CountParameters({51865, 64, 1, 1, 1, 1, 80}));
  EXPECT_EQ(facts["threads"], 1);
}

TEST(SpeechModel, EveryQuantLoadsAndRuns) {
  Recorder hook;
  for (const std::string& quant : SpeechSynth("whisper-test").quants) {
    auto model = SpeechModel::Load(MakeTestModel(quant), kOneThread);
    ASSERT_TRUE(model) << quant << ": " << model.error().message;
    EXPECT_EQ((*model)->Facts()["quant"], quant);
    const auto transcript =
        (*model)->Transcribe(Tone(1, 300, kSampleRate), {.language = "en"}, hook, {});
    ASSERT_TRUE(transcript) << quant << ": " << transcript.error().message;
    EXPECT_EQ(transcript->output_tokens, 33);
  }
}

TEST(SpeechModel, WithoutTheMarkerWeightsCountAsReal) {
  const ScratchFolder folder;
  std::string bytes = Contents(MakeTestModel("q8_0"));
  const auto at = bytes.find("<|cbench-synthetic|>");
  ASSERT_NE(at, std::string::npos);
  bytes[at] = '(';
  std::ofstream(folder.path() / "real.bin", std::ios::binary) << bytes;
  auto model = SpeechModel::Load(folder.path() / "real.bin", kOneThread);
  ASSERT_TRUE(model);
  EXPECT_FALSE((*model)->synthetic());
  Recorder hook;
  const auto transcript =
      (*model)->Transcribe(Tone(2, 440, kSampleRate), {.language = "en"}, hook, {});
  ASSERT_TRUE(transcript);
  EXPECT_EQ(hook.begun()[0].size, 512);
  EXPECT_LE(transcript->output_tokens, 82);
}

TEST(SpeechModel, SaysWhatIsWrongWithAFile) {
  const ScratchFolder folder;
  const auto load = [](const std::filesystem::path& path) {
    const auto model = SpeechModel::Load(path, kOneThread);
    return model ? "" : model.error().message;
  };
  EXPECT_NE(load(folder.path() / "none.bin").find("is not a file"), std::string::npos);
  std::ofstream(folder.path() / "text.bin") << "GGUF and so on";
  EXPECT_NE(load(folder.path() / "text.bin").find("not a whisper.cpp model"), std::string::npos);
  std::ofstream(folder.path() / "torn.bin", std::ios::binary)
      << Contents(MakeTestModel("q8_0")).substr(0, 2'000'000);
  EXPECT_NE(load(folder.path() / "torn.bin").find("cut short"), std::string::npos);
}

}  // namespace
}  // namespace cbench::embedded
