#include "embedded/speech_audio.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "embedded/speech_format.h"
#include "embedded/speech_test_sounds.h"

namespace cbench::embedded {
namespace {

// Power of one frequency (Goertzel), relative to a full-scale sine's.
double Power(const std::vector<float>& samples, double hz) {
  const double w = 2 * M_PI * hz / kSampleRate;
  double re = 0, im = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    re += samples[i] * std::cos(w * static_cast<double>(i));
    im += samples[i] * std::sin(w * static_cast<double>(i));
  }
  const double n = static_cast<double>(samples.size());
  return 4 * (re * re + im * im) / (n * n);
}

std::string ErrorOf(std::string_view bytes) {
  const auto samples = DecodeAudio(bytes);
  if (samples) return "";
  EXPECT_EQ(samples.error().kind, ErrorKind::kInput);
  return samples.error().message;
}

TEST(SpeechAudio, WavAndFlacAt16kHzComeBackAsTheyAre) {
  const auto tone = Tone(0.5, 440, kSampleRate);
  for (const Container container : {Container::kWav, Container::kFlac}) {
    const auto samples = DecodeAudio(EncodeAudio(tone, kSampleRate, 1, container));
    ASSERT_TRUE(samples) << samples.error().message;
    ASSERT_EQ(samples->size(), tone.size());
    for (std::size_t i = 0; i < tone.size(); ++i) EXPECT_NEAR((*samples)[i], tone[i], 1e-4);
  }
}

TEST(SpeechAudio, OtherRatesAndChannelsAreConverted) {
  for (const int rate : {8000, 22050, 44100, 48000, 96000}) {
    const auto samples = DecodeAudio(EncodeAudio(Tone(1, 440, rate), rate, 2, Container::kWav));
    ASSERT_TRUE(samples) << samples.error().message;
    EXPECT_NEAR(static_cast<double>(samples->size()), kSampleRate, 40) << rate;
    EXPECT_NEAR(Power(*samples, 440), 0.25, 0.01) << rate;  // Tone's amplitude is one half
  }
}

TEST(SpeechAudio, SoundAboveTheNewRateIsFilteredOut) {
  const auto samples = DecodeAudio(EncodeAudio(Tone(1, 15000, 48000), 48000, 1, Container::kWav));
  ASSERT_TRUE(samples);
  EXPECT_LT(Power(*samples, 1000), 1e-4);  // where 15 kHz would fold to
}

TEST(SpeechAudio, ChannelsAreAveraged) {
  const auto one = Tone(0.2, 440, kSampleRate);
  const auto samples = DecodeAudio(EncodeAudio(one, kSampleRate, 6, Container::kFlac));
  ASSERT_TRUE(samples);
  EXPECT_NEAR(Power(*samples, 440), 0.25, 0.01);
}

TEST(SpeechAudio, RefusesWhatIsNotAudio) {
  EXPECT_NE(ErrorOf("").find("empty"), std::string::npos);
  EXPECT_NE(ErrorOf("this is no sound at all, it is a sentence").find("not audio"),
            std::string::npos);
  EXPECT_NE(ErrorOf(std::string(1000, '\0')).find("not audio"), std::string::npos);
}

TEST(SpeechAudio, RefusesTooShortAndTooLong) {
  const auto blip = EncodeAudio(Tone(0.05, 440, kSampleRate), kSampleRate, 1, Container::kWav);
  EXPECT_NE(ErrorOf(blip).find("shorter"), std::string::npos);
  const std::vector<float> silence(std::size_t{kMaxAudioSeconds + 1} * 4000);
  const auto hours = EncodeAudio(silence, 4000, 1, Container::kFlac);
  EXPECT_LT(hours.size(), 1u << 20);  // small on the wire, large once unpacked
  EXPECT_NE(ErrorOf(hours).find("longer than 30 minutes"), std::string::npos);
}

TEST(SpeechAudio, RefusesAnAbsurdRate) {
  const auto slow = EncodeAudio(Tone(1, 10, 1000), 1000, 1, Container::kWav);
  EXPECT_NE(ErrorOf(slow).find("sample rate"), std::string::npos);
}

// Cutting a file anywhere must give its first part or an error, never a crash or noise.
TEST(SpeechAudio, SurvivesTornFiles) {
  for (const Container container : {Container::kWav, Container::kFlac}) {
    const auto whole = EncodeAudio(Tone(0.5, 440, kSampleRate), kSampleRate, 1, container);
    for (std::size_t size = 0; size < whole.size(); size += 97) {
      const auto samples = DecodeAudio(std::string_view(whole).substr(0, size));
      if (samples) {
        EXPECT_LE(samples->size(), kSampleRate / 2u);
      }
    }
  }
}

TEST(SpeechAudio, NotANumberBecomesSilence) {
  auto wav = EncodeAudio(Tone(0.2, 440, kSampleRate), kSampleRate, 1, Container::kFloatWav);
  const float bad = NAN;
  std::memcpy(wav.data() + wav.size() - sizeof bad, &bad, sizeof bad);
  const auto samples = DecodeAudio(wav);
  ASSERT_TRUE(samples);
  EXPECT_EQ(samples->back(), 0.0f);
}

}  // namespace
}  // namespace cbench::embedded
