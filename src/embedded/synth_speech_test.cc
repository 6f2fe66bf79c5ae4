#include <gtest/gtest.h>
#include <unistd.h>

#include <numeric>

#include "embedded/speech_format.h"
#include "embedded/speech_test_model.h"
#include "embedded/speech_vocab.h"

namespace cbench::embedded {
namespace {

TEST(SynthSpeech, ParameterCountsAreTheArchitectures) {
  // What the published checkpoints hold.
  EXPECT_EQ(CountParameters({51865, 384, 6, 4, 6, 4, 80}), 37'760'640);
  EXPECT_EQ(CountParameters({51865, 512, 8, 6, 8, 6, 80}), 72'593'920);
  EXPECT_EQ(CountParameters({51866, 1280, 20, 32, 20, 4, 128}), 808'878'080);
}

TEST(SynthSpeech, WritesTheSizeItAnnounces) {
  const SynthModel& model = SpeechSynth("whisper-test");
  for (const std::string& quant : model.quants) {
    const auto path = MakeTestModel(quant);
    ASSERT_FALSE(path.empty()) << quant;
    const auto size = static_cast<double>(std::filesystem::file_size(path));
    EXPECT_NEAR(size, static_cast<double>(model.bytes(model, quant)), 0.02 * size) << quant;
  }
}

TEST(SynthSpeech, IsTheSameEveryTime) {
  const ScratchFolder folder;
  const SynthModel& model = SpeechSynth("whisper-test");
  ASSERT_TRUE(model.write(model, "q8_0", folder.path() / "again.bin", {}));
  EXPECT_EQ(Contents(folder.path() / "again.bin"), Contents(MakeTestModel("q8_0")));
}

TEST(SynthSpeech, ReportsProgressUpToTheEnd) {
  const ScratchFolder folder;
  const SynthModel& model = SpeechSynth("whisper-test");
  std::uint64_t last = 0, all = 0;
  ASSERT_TRUE(model.write(model, "q4_0", folder.path() / "m.bin",
                          [&](std::uint64_t done, std::uint64_t total) {
                            EXPECT_GE(done, last);
                            EXPECT_LE(done, total);
                            last = done;
                            all = total;
                          }));
  EXPECT_GT(last, all * 97 / 100);
}

TEST(SynthSpeech, SaysWhenTheDiskIsFull) {
  ASSERT_EQ(access("/dev/full", W_OK), 0) << "a Linux system has /dev/full";
  const SynthModel& model = SpeechSynth("whisper-test");
  const auto written = model.write(model, "q4_0", "/dev/full", {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::kFailure);
  EXPECT_NE(written.error().message.find("free disk space"), std::string::npos);
}

TEST(SynthSpeech, SaysWhenTheFolderIsMissing) {
  const SynthModel& model = SpeechSynth("whisper-test");
  EXPECT_FALSE(model.write(model, "q4_0", "/nonexistent/folder/m.bin", {}));
}

TEST(SynthSpeech, DemoSizesFitTheirBudget) {
  for (const SynthModel& model : SpeechSynthModels()) {
    if (!model.name.ends_with("-demo")) continue;
    EXPECT_LE(model.bytes(model, model.default_quant), 150u << 20) << model.name;
    EXPECT_NE(std::find(model.quants.begin(), model.quants.end(), model.default_quant),
              model.quants.end());
  }
}

TEST(SpeechVocabulary, IsGpt2sBytes) {
  const auto tokens = SyntheticVocabulary();
  ASSERT_TRUE(tokens) << tokens.error().message;
  ASSERT_EQ(tokens->size(), std::size_t{kTextTokens});
  EXPECT_EQ((*tokens)[0], "!");
  EXPECT_EQ((*tokens)[220], " ");
  EXPECT_EQ((*tokens)[262], " the");
  EXPECT_EQ(tokens->back(), kSyntheticMarker);
}

TEST(SpeechVocabulary, UndoesByteLevelSpelling) {
  EXPECT_EQ(BytesOfToken("\u0120the"), " the");
  EXPECT_EQ(BytesOfToken("\u010A"), "\n");
  EXPECT_EQ(BytesOfToken("\u00C3\u00A9"), "\xC3\xA9");
  EXPECT_EQ(BytesOfToken("\u4E2D"), "");
}

// Slaney's scale is linear below 1 kHz at 66.7 Hz a mel; equal areas mean that the filters' sums
// times the bin width are 1.
TEST(SpeechFormat, MelFiltersHaveEqualArea) {
  for (const int mels : {80, 128}) {
    const auto filters = MelFilters(mels);
    ASSERT_EQ(filters.size(), static_cast<std::size_t>(mels * kMelBins));
    const double bin_hz = kSampleRate / 2.0 / (kMelBins - 1);
    for (int mel = mels / 2; mel < mels; ++mel) {
      const auto first = filters.begin() + mel * kMelBins;
      EXPECT_NEAR(std::accumulate(first, first + kMelBins, 0.0) * bin_hz, 1, 0.1) << mel;
    }
  }
}

// The values librosa.filters.mel(sr=16000, n_fft=400, n_mels=80) begins with.
TEST(SpeechFormat, MelFiltersMatchLibrosa) {
  const auto filters = MelFilters(80);
  EXPECT_NEAR(filters[1], 0.02486259, 1e-6);
  EXPECT_NEAR(filters[kMelBins + 1], 0.00199082, 1e-6);
  EXPECT_NEAR(filters[kMelBins + 2], 0.02287177, 1e-6);
}

TEST(SpeechFormat, PositionsAreSinesThenCosines) {
  const auto table = SinusoidPositions(64, 1500);
  ASSERT_EQ(table.size(), 64u * 1500);
  EXPECT_EQ(table[0], 0.0f);
  EXPECT_EQ(table[32], 1.0f);
  EXPECT_NEAR(table[64], 0.8414710f, 1e-6);
  EXPECT_NEAR(table[64 + 32], 0.5403023f, 1e-6);
}

}  // namespace
}  // namespace cbench::embedded
