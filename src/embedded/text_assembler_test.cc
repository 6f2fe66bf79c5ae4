#include "embedded/text_assembler.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace cbench::embedded {
namespace {

constexpr char kReplacement[] = "\xEF\xBF\xBD";

TEST(Utf8Splitter, HoldsAnUnfinishedCharacterBack) {
  Utf8Splitter splitter;
  EXPECT_EQ(splitter.Feed("a\xE2\x82"), "a");
  EXPECT_EQ(splitter.Feed("\xAC!"), "\xE2\x82\xAC!");
  EXPECT_EQ(splitter.Flush(), "");
}

TEST(Utf8Splitter, GivesTheSameTextWhereverItIsCut) {
  const std::string text = "\xF0\x9F\x98\x80 na\xC3\xAFve \xE6\xBC\xA2 ok";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Utf8Splitter splitter;
    std::string out = splitter.Feed(text.substr(0, cut));
    EXPECT_TRUE(IsUtf8(out)) << cut;
    out += splitter.Feed(text.substr(cut));
    out += splitter.Flush();
    EXPECT_EQ(out, text) << cut;
  }
}

TEST(Utf8Splitter, ReplacesWhatCannotBecomeValid) {
  Utf8Splitter splitter;
  EXPECT_EQ(splitter.Feed("\xFF"
                          "a\x80"),
            std::string(kReplacement) + "a" + kReplacement);
  EXPECT_EQ(splitter.Feed("\xC0\xAF"), std::string(kReplacement) + kReplacement);  // overlong
  EXPECT_EQ(splitter.Feed("\xED\xA0"), std::string(kReplacement) + kReplacement);  // surrogate
  EXPECT_EQ(splitter.Feed("\xE2"
                          "a"),
            std::string(kReplacement) + "a");
  EXPECT_EQ(splitter.Feed("\xF0\x9F"), "");
  EXPECT_EQ(splitter.Flush(), kReplacement);
}

TEST(Utf8Splitter, SeesBrokenPieces) {
  EXPECT_TRUE(IsUtf8(" caf\xC3\xA9"));
  EXPECT_FALSE(IsUtf8("\xC3"));
  EXPECT_FALSE(IsUtf8("\xA9"));
}

TEST(StopMatcher, LetsTextThroughWithoutStops) {
  StopMatcher matcher({});
  EXPECT_EQ(matcher.Feed("anything"), "anything");
  EXPECT_FALSE(matcher.stopped());
}

TEST(StopMatcher, HoldsBackWhatMayBecomeAStop) {
  StopMatcher matcher({"\n\nUser:"});
  EXPECT_EQ(matcher.Feed("one\n"), "one");
  EXPECT_EQ(matcher.Feed("two\n\nUse"), "\ntwo");
  EXPECT_EQ(matcher.Feed("ful"), "\n\nUseful");
  EXPECT_EQ(matcher.Feed("\n"), "");
  EXPECT_EQ(matcher.Flush(), "\n");
}

TEST(StopMatcher, EndsBeforeTheStopEvenAcrossPieces) {
  StopMatcher matcher({"END", "STOP"});
  EXPECT_EQ(matcher.Feed("a ST"), "a ");
  EXPECT_EQ(matcher.Feed("OP rest"), "");
  EXPECT_TRUE(matcher.stopped());
  EXPECT_EQ(matcher.Flush(), "");
}

TEST(StopMatcher, TakesTheEarliestOfSeveral) {
  StopMatcher matcher({"late", "a"});
  EXPECT_EQ(matcher.Feed("xx a late"), "xx ");
  EXPECT_TRUE(matcher.stopped());
}

TEST(StopMatcher, FindsAStopThatBeginsWithinAFailedOne) {
  StopMatcher matcher({"aab"});
  EXPECT_EQ(matcher.Feed("aa"), "");
  EXPECT_EQ(matcher.Feed("ab"), "a");
  EXPECT_TRUE(matcher.stopped());
}

}  // namespace
}  // namespace cbench::embedded
