#include "embedded/speech_window.h"

#include <gtest/gtest.h>

#include "embedded/speech_format.h"
#include "embedded/speech_test_sounds.h"

namespace cbench::embedded {
namespace {

constexpr std::size_t kSecond16 = kSampleRate;

TEST(SpeechWindow, EncoderPositionsFollowTheClip) {
  EXPECT_EQ(EncoderPositions(2 * kSecond16, 1500, true), 128);
  EXPECT_EQ(EncoderPositions(kSecond16 / 2, 1500, true), 128);
  EXPECT_EQ(EncoderPositions(5 * kSecond16, 1500, true), 320);
  EXPECT_EQ(EncoderPositions(30 * kSecond16, 1500, true), 1500);
  EXPECT_EQ(EncoderPositions(2 * kSecond16, 1500, false), 512);
  EXPECT_EQ(EncoderPositions(20 * kSecond16, 1500, false), 1024);
}

TEST(SpeechWindow, TokenBudget) {
  EXPECT_EQ(TokensFor(2 * kSecond16, 448, true).tokens, 33);
  EXPECT_TRUE(TokensFor(2 * kSecond16, 448, true).exact);
  EXPECT_EQ(TokensFor(30 * kSecond16, 448, true).tokens, 120);
  EXPECT_EQ(TokensFor(2 * kSecond16, 448, false).tokens, 82);
  EXPECT_FALSE(TokensFor(2 * kSecond16, 448, false).exact);
  EXPECT_EQ(TokensFor(30 * kSecond16, 448, false).tokens, 220);
}

TEST(SpeechWindow, ShortAudioIsOneWindow) {
  const auto tone = Tone(30, 440, kSampleRate);
  const Window window = NextWindow(tone, 0, 30 * kSecond16);
  EXPECT_EQ(window.begin, 0u);
  EXPECT_EQ(window.end, tone.size());
}

TEST(SpeechWindow, LongAudioIsCutInThePause) {
  auto tone = Tone(50, 440, kSampleRate);
  std::fill(tone.begin() + 25 * kSampleRate, tone.begin() + 26 * kSampleRate, 0.0f);
  const Window first = NextWindow(tone, 0, 30 * kSecond16);
  EXPECT_GT(first.end, 25 * kSecond16);
  EXPECT_LT(first.end, 26 * kSecond16);
  const Window second = NextWindow(tone, first.end, 30 * kSecond16);
  EXPECT_EQ(second.begin, first.end);
  EXPECT_EQ(second.end, tone.size());
}

TEST(SpeechWindow, WindowsCoverEverythingAndMoveOn) {
  for (const auto& audio : {Tone(100, 440, kSampleRate), std::vector<float>(100 * kSecond16)}) {
    std::size_t at = 0;
    while (at < audio.size()) {
      const Window window = NextWindow(audio, at, 30 * kSecond16);
      EXPECT_EQ(window.begin, at);
      ASSERT_GT(window.end, at);
      EXPECT_LE(window.end - at, 30 * kSecond16);
      at = window.end;
    }
  }
}

}  // namespace
}  // namespace cbench::embedded
