#include "app/audio.h"

#include <gmock/gmock.h>
#include <sndfile.h>

#include <cmath>

#include "app/testing.h"

namespace cbench::app {
namespace {

using testing::HasSubstr;

// A sine of 440 Hz at half scale.
void WriteTone(const std::filesystem::path& path, int rate, int channels, int format,
               double seconds) {
  SF_INFO info{};
  info.samplerate = rate;
  info.channels = channels;
  info.format = format;
  SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
  const auto frames = static_cast<std::size_t>(seconds * rate);
  std::vector<float> samples;
  for (std::size_t i = 0; i < frames; ++i) {
    const double t = static_cast<double>(i) / rate;
    const auto value = static_cast<float>(0.5 * std::sin(2 * M_PI * 440 * t));
    samples.insert(samples.end(), static_cast<std::size_t>(channels), value);
  }
  sf_writef_float(file, samples.data(), static_cast<sf_count_t>(frames));
  sf_close(file);
}

double Power(const std::vector<std::int16_t>& samples) {
  double sum = 0;
  for (const std::int16_t s : samples) sum += s / 32768.0 * (s / 32768.0);
  return sum / static_cast<double>(samples.size());
}

TEST(LoadAudio, ResamplesAnyRateAndChannelsToMono16k) {
  const ScratchFolder folder;
  const auto path = folder.path() / "tone";
  for (const auto& [rate, channels, format] :
       {std::tuple{16'000, 1, SF_FORMAT_WAV | SF_FORMAT_PCM_16},
        std::tuple{44'100, 2, SF_FORMAT_FLAC | SF_FORMAT_PCM_16},
        std::tuple{8'000, 1, SF_FORMAT_WAV | SF_FORMAT_FLOAT}}) {
    WriteTone(path, rate, channels, format, 1.0);
    const auto samples = LoadAudio(path, 0);
    ASSERT_TRUE(samples.has_value()) << samples.error().message;
    EXPECT_NEAR(static_cast<double>(samples->size()), kSampleRate, 200) << rate;
    EXPECT_NEAR(Power(*samples), 0.125, 0.01) << rate;
  }
}

TEST(LoadAudio, StopsAtTheLimitAskedFor) {
  const ScratchFolder folder;
  WriteTone(folder.path() / "a.wav", 16'000, 1, SF_FORMAT_WAV | SF_FORMAT_PCM_16, 1.0);
  EXPECT_EQ(LoadAudio(folder.path() / "a.wav", 250 * kMillisecond)->size(), 4000u);
  EXPECT_EQ(LoadAudio(folder.path() / "a.wav", 9'000'000'000 * kSecond)->size(), 16'000u);
}

TEST(LoadAudio, ErrorsNameTheFile) {
  const ScratchFolder folder;
  const auto text = folder.Write("text.wav", "this is not audio");
  EXPECT_THAT(LoadAudio(text, 0).error().message, HasSubstr("text.wav: not audio"));
  WriteTone(folder.path() / "short.wav", 16'000, 1, SF_FORMAT_WAV | SF_FORMAT_PCM_16, 0.05);
  EXPECT_THAT(LoadAudio(folder.path() / "short.wav", 0).error().message, HasSubstr("100 ms"));
  WriteTone(folder.path() / "rate.wav", 1'000, 1, SF_FORMAT_WAV | SF_FORMAT_PCM_16, 1);
  EXPECT_THAT(LoadAudio(folder.path() / "rate.wav", 0).error().message, HasSubstr("1000 Hz"));
}

TEST(EncodeWav, IsReadBackUnchanged) {
  const ScratchFolder folder;
  const std::vector<std::int16_t> samples(1600, -1234);
  const auto path = folder.Write("a.wav", EncodeWav(samples));
  SF_INFO info{};
  SNDFILE* file = sf_open(path.c_str(), SFM_READ, &info);
  ASSERT_NE(file, nullptr);
  std::vector<std::int16_t> back(2000);
  back.resize(static_cast<std::size_t>(sf_read_short(file, back.data(), 2000)));
  sf_close(file);
  EXPECT_EQ(info.samplerate, 16'000);
  EXPECT_EQ(info.channels, 1);
  EXPECT_EQ(back, samples);
}

TEST(CutSegments, LastIsShorterAndContextGrowsToItsLimit) {
  const auto segments = CutSegments(40'000, kSecond, 1500 * kMillisecond);
  ASSERT_EQ(segments.size(), 3u);
  EXPECT_EQ(segments[0].window, 0u);
  EXPECT_EQ(segments[1].window, 0u);
  EXPECT_EQ(segments[2].window, 8'000u);
  EXPECT_EQ(segments[2].begin, 32'000u);
  EXPECT_EQ(segments[2].end, 40'000u);
  EXPECT_EQ(AudioDuration(40'000), 2500 * kMillisecond);
  EXPECT_EQ(CutSegments(32'000, kSecond, 0).size(), 2u);
}

}  // namespace
}  // namespace cbench::app
