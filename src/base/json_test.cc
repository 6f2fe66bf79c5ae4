#include "base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cbench {
namespace {

using testing::HasSubstr;

std::string Nested(int depth, char open, char close) {
  return std::string(static_cast<std::size_t>(depth), open) +
         std::string(static_cast<std::size_t>(depth), close);
}

std::string Members(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += fmt::format("{}\"{}\":{}", i ? "," : "{", i, i);
  return text + "}";
}

std::string WhyNot(const std::string& text) {
  const auto json = ParseJson(text, "it");
  return json ? "" : json.error().message;
}

TEST(ParseJson, KeepsValuesAndTheOrderOfKeys) {
  const std::string text = R"({"b":[1,-2,3.5,null,true,"x\u00e9\"["],"a":{"c":{},"d":[]}})";
  const auto json = ParseJson(text, "it");
  ASSERT_TRUE(json);
  EXPECT_EQ(*json, Json::parse(text));
  EXPECT_EQ(json->begin().key(), "b");
}

TEST(ParseJson, RefusesWhatIsNotJson) {
  for (const char* text :
       {"", " ", "{", "[1,]", "nul", "{} {}", "\"\xff\"", "1e999", "{\"a\" 1}"}) {
    EXPECT_EQ(WhyNot(text), "it: not valid JSON") << text;
  }
}

TEST(ParseJson, BoundsDepth) {
  EXPECT_EQ(WhyNot(Nested(kMaxJsonDepth, '[', ']')), "");
  EXPECT_THAT(WhyNot(Nested(kMaxJsonDepth + 1, '[', ']')), HasSubstr("it: nested deeper than 64"));
  EXPECT_THAT(WhyNot(std::string(1 << 20, '[')), HasSubstr("nested deeper"));
  std::string objects;
  for (int i = 0; i < 200'000; ++i) objects += R"({"a":)";
  EXPECT_THAT(WhyNot(objects), HasSubstr("nested deeper"));
}

TEST(ParseJson, DoesNotCountBracketsInStrings) {
  EXPECT_EQ(WhyNot("\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\""), "");
}

// Each new member is compared with all before it: without a bound, minutes for a few megabytes.
TEST(ParseJson, BoundsMembersOfAnObject) {
  EXPECT_EQ(WhyNot(Members(kMaxJsonMembers)), "");
  EXPECT_EQ(WhyNot("[" + Members(kMaxJsonMembers) + "," + Members(kMaxJsonMembers) + "]"), "");
  EXPECT_THAT(WhyNot(Members(kMaxJsonMembers + 1)), HasSubstr("more than 4096 members"));
  EXPECT_THAT(WhyNot(Members(500'000)), HasSubstr("more than 4096 members"));
}

}  // namespace
}  // namespace cbench
