#include "base/units.h"

#include <gtest/gtest.h>

namespace cbench {
namespace {

TEST(Units, ParsesDurations) {
  EXPECT_EQ(ParseDuration("250ms"), 250 * kMillisecond);
  EXPECT_EQ(ParseDuration("1.5 s"), 1500 * kMillisecond);
  EXPECT_EQ(ParseDuration("2m"), 120 * kSecond);
  EXPECT_EQ(ParseDuration("0"), 0);
}

TEST(Units, RefusesWhatIsNotOneDuration) {
  for (const char* text : {"", "s", "1", "-1s", "1 parsec", "1s2", "nan s", "inf s", "1e30 h"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

TEST(Units, ParsesBytesAndPixels) {
  EXPECT_EQ(ParseBytes("2GiB"), 2147483648u);
  EXPECT_EQ(ParseBytes("3 parsec"), std::nullopt);
  const auto size = ParsePixelSize("1024x768");
  ASSERT_TRUE(size);
  EXPECT_EQ(size->width, 1024);
  EXPECT_EQ(size->height, 768);
  for (const char* text : {"", "1024", "x", "0x5", "10x-5", "10x5x", "10 x 5"}) {
    EXPECT_FALSE(ParsePixelSize(text)) << text;
  }
}

TEST(Units, FormatsForPeople) {
  EXPECT_EQ(FormatDuration(250 * kMillisecond), "250 ms");
  EXPECT_EQ(FormatDuration(1250 * kMillisecond), "1.25 s");
  EXPECT_EQ(FormatDuration(200 * kSecond), "3 min 20 s");
  EXPECT_EQ(FormatBytes(735u << 20), "735 MiB");
}

}  // namespace
}  // namespace cbench
