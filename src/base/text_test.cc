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

}  // namespace
}  // namespace cbench
