#include "base/text.h"

#include <gtest/gtest.h>

namespace cbench {
namespace {

TEST(Text, PrintableKeepsLettersAndDropsControl) {
  EXPECT_EQ(Printable("Grüße, 世界 🙂"), "Grüße, 世界 🙂");
  EXPECT_EQ(Printable("a\x1b[31mred\nb\x7f"), "a [31mred b ");
  EXPECT_EQ(Printable("c1 \xC2\x9B"
                      "31m"),
            "c1  31m");
}

TEST(Text, PrintableReplacesWhatIsNotUtf8) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(Printable("\xFFx"), bad + "x");
  EXPECT_EQ(Printable("\xC0\xAF"), bad + bad);            // overlong
  EXPECT_EQ(Printable("\xED\xA0\x80"), bad + bad + bad);  // surrogate
  EXPECT_EQ(Printable("cut \xE4\xB8"), "cut " + bad + bad);
}

TEST(Text, SequenceLengths) {
  EXPECT_EQ(Utf8SequenceLength(""), 0u);
  EXPECT_EQ(Utf8SequenceLength("a"), 1u);
  EXPECT_EQ(Utf8SequenceLength("é"), 2u);
  EXPECT_EQ(Utf8SequenceLength("世"), 3u);
  EXPECT_EQ(Utf8SequenceLength("🙂"), 4u);
  EXPECT_EQ(Utf8SequenceLength("\xF4\x90\x80\x80"), 0u);
}

TEST(IsUtf8, FollowsTheStandard) {
  for (const char* good : {"", "plain", "\u00e9\u20ac\U0001F600", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(IsUtf8(good)) << good;
  }
  for (const char* bad : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xE2\x82",
                          "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "a\xFF"}) {
    EXPECT_FALSE(IsUtf8(bad));
  }
}

TEST(HasNul, LooksBehindTheFirst) {
  EXPECT_FALSE(HasNul(""));
  EXPECT_FALSE(HasNul("text"));
  EXPECT_TRUE(HasNul(std::string_view("te\0xt", 5)));
}

TEST(Printable, RefusesToTurnTheDirectionOfText) {
  EXPECT_EQ(Printable("a\xE2\x80\xAEgpj.exe"), "a gpj.exe");  // U+202E
  EXPECT_EQ(Printable("\xE2\x81\xA6x\xE2\x81\xA9"), " x ");   // U+2066, U+2069
  EXPECT_EQ(Printable("\xE2\x80\x93"), "\xE2\x80\x93");       // a dash is no such thing
}

TEST(PrintableLines, KeepsLinesOnly) {
  EXPECT_EQ(PrintableLines("a\x1b[31m\nb\n"), "a [31m\nb\n");
  EXPECT_EQ(PrintableLines(""), "");
}

}  // namespace
}  // namespace cbench
