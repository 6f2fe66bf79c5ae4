#include "embedded/speech_turnstile.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace cbench::embedded {
namespace {

TEST(SpeechTurnstile, LetsOneInAtATime) {
  Turnstile turnstile;
  int inside = 0, passed = 0;  // plain ints: the turnstile orders the accesses
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 200; ++n) {
        ASSERT_TRUE(turnstile.Enter());
        EXPECT_EQ(++inside, 1);
        ++passed;
        --inside;
        turnstile.Leave();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed, 800);
}

TEST(SpeechTurnstile, CloseTurnsWaitersAwayButNotTheOneInside) {
  Turnstile turnstile;
  ASSERT_TRUE(turnstile.Enter());
  std::thread waiter([&] { EXPECT_FALSE(turnstile.Enter()); });
  turnstile.Close();
  waiter.join();
  turnstile.Leave();
  EXPECT_TRUE(turnstile.closed());
  EXPECT_FALSE(turnstile.Enter());
}

}  // namespace
}  // namespace cbench::embedded
