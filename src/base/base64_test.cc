#include "base/base64.h"

#include <gtest/gtest.h>

namespace cbench {
namespace {

TEST(Base64, DecodesTheVectorsOfRfc4648) {
  EXPECT_EQ(DecodeBase64(""), "");
  EXPECT_EQ(DecodeBase64("Zg=="), "f");
  EXPECT_EQ(DecodeBase64("Zm8="), "fo");
  EXPECT_EQ(DecodeBase64("Zm9vYmFy"), "foobar");
  EXPECT_EQ(DecodeBase64("Zm8"), "fo") << "padding may be missing";
  EXPECT_EQ(DecodeBase64("+/+/"), "\xFB\xFF\xBF");
}

TEST(Base64, RefusesOtherText) {
  for (const char* text : {"Z", "Zg=a", "Zm9v\n", "Zm9-", "====", "Zm9vY"}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
}

TEST(EncodeBase64, MatchesTheStandardsExamples) {  // RFC 4648, section 10
  EXPECT_EQ(EncodeBase64(""), "");
  EXPECT_EQ(EncodeBase64("f"), "Zg==");
  EXPECT_EQ(EncodeBase64("fo"), "Zm8=");
  EXPECT_EQ(EncodeBase64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(EncodeBase64("\xff\xfe\xfd"), "//79");
}

}  // namespace
}  // namespace cbench
