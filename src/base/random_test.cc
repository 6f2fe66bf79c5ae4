#include "base/random.h"

#include <gtest/gtest.h>

namespace cbench {
namespace {

TEST(SplitMix64, GivesThePublishedNumbers) {
  SplitMix64 random(1234567);  // as the reference implementation does (prng.di.unimi.it)
  for (const std::uint64_t number :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u}) {
    EXPECT_EQ(random.Next(), number);
  }
}

TEST(SplitMix64, AnyNumberCanBeAskedFor) {
  SplitMix64 random(7);
  for (std::uint64_t n = 0; n < 5; ++n) EXPECT_EQ(SplitMix64::Nth(7, n), random.Next());
}

}  // namespace
}  // namespace cbench
