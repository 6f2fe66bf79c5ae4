#include "report/text.h"

#include <gtest/gtest.h>

namespace cbench::report {
namespace {

TEST(Clean, LeavesNothingThatATerminalObeys) {
  const std::pair<std::string, std::string> cases[] = {
      {"plain é 字", "plain é 字"},
      {"\x1b[31mred\x07", "\xEF\xBF\xBD[31mred\xEF\xBF\xBD"},
      {"a\nb\tc\r", "a b c "},
      {"\xC2\x9B"
       "31m",
       "\xEF\xBF\xBD"
       "31m"},  // C1 control as UTF-8
      {"\x9B"
       "31m",
       "\xEF\xBF\xBD"
       "31m"},  // and as a bare byte
      {"\xE2\x80\xAE"
       "evil",
       "\xEF\xBF\xBD"
       "evil"},                                                  // right-to-left override
      {"\xE2\x80\x8B", "\xEF\xBF\xBD"},                          // zero width space
      {"\xC0\x8A", "\xEF\xBF\xBD\xEF\xBF\xBD"},                  // overlong line feed
      {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // surrogate
      {"cut \xE5\xAD", "cut \xEF\xBF\xBD\xEF\xBF\xBD"},
      {std::string("nul\0", 4), "nul\xEF\xBF\xBD"},
  };
  for (const auto& [raw, clean] : cases) {
    EXPECT_EQ(Clean(raw), clean);
    EXPECT_EQ(Clean(clean), clean);
  }
}

TEST(Fit, CutsAndFillsByColumns) {
  EXPECT_EQ(Fit("abc", 5), "abc  ");
  EXPECT_EQ(Fit("abcdef", 5), "abcd…");
  EXPECT_EQ(FitRight("abc", 5), "  abc");
  EXPECT_EQ(Fit("字字字", 5), "字字…");
  EXPECT_EQ(Fit("字字字", 4), "字… ");
  EXPECT_EQ(Width("e\xCC\x81"), 1) << "combining accent";
}

TEST(Wrap, BreaksAtSpacesAndInLongWords) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(Wrap("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(Wrap("", 7), (Lines{""}));
  EXPECT_EQ(Wrap("abcdefghij", 4), (Lines{"abcd", "efgh", "ij"}));
  EXPECT_EQ(Wrap("字字字", 4), (Lines{"字字", "字"}));
}

TEST(Seconds, HasThreeDigitsAndFitsEightColumns) {
  const std::pair<double, const char*> cases[] = {{0, "0 s"},
                                                  {1.5e-7, "0.15 us"},
                                                  {0.0000123, "12.3 us"},
                                                  {0.00099949, "999 us"},
                                                  {0.00099951, "1.00 ms"},
                                                  {0.21, "210 ms"},
                                                  {0.9994, "999 ms"},
                                                  {0.9996, "1.00 s"},
                                                  {1.25, "1.25 s"},
                                                  {71.2, "71.2 s"},
                                                  {3599, "3599 s"},
                                                  {8316, "2.31 h"},
                                                  {1e12, "> 100 d"}};
  for (const auto& [seconds, text] : cases) {
    EXPECT_EQ(Seconds(seconds), text);
    EXPECT_LE(Width(text), 8);
  }
  EXPECT_EQ(Seconds(std::nullopt), "—");
}

TEST(Percent, OnlyAllIsAll) {
  EXPECT_EQ(Percent(1), "100 %");
  EXPECT_EQ(Percent(0.996), "> 99 %");
  EXPECT_EQ(Percent(0.9), "90 %");
  EXPECT_EQ(Percent(std::nullopt), "—");
}

}  // namespace
}  // namespace cbench::report
