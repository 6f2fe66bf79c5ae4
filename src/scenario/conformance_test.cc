// Every file under tests/conformance/scenario/ says in its first line what the loader must make of
// it: "# ok" or "# error LINE:COLUMN: part of the message".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "scenario/scenario.h"

namespace cbench::scenario {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

const fs::path kFolder = fs::path(CBENCH_SOURCE_DIR) / "tests/conformance/scenario";

std::vector<std::string> Cases() {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(kFolder)) {
    names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Conformance : public testing::TestWithParam<std::string> {};

TEST_P(Conformance, LoadsAsItsFirstLineSays) {
  const std::string file = GetParam() + ".yaml";
  const auto text = ReadFile(kFolder / file);
  ASSERT_TRUE(text);
  const std::string expected = text->substr(2, text->find('\n') - 2);
  const auto scenario = Parse(*text, file);
  if (expected == "ok") {
    ASSERT_TRUE(scenario) << scenario.error().message;
    EXPECT_FALSE(scenario->tasks.empty());
    return;
  }
  ASSERT_THAT(expected, StartsWith("error "));
  ASSERT_FALSE(scenario);
  const std::string rest = expected.substr(6);
  const std::size_t place = rest.find(": ");
  EXPECT_EQ(scenario.error().kind, ErrorKind::kInput);
  EXPECT_THAT(scenario.error().message, StartsWith(file + ":" + rest.substr(0, place) + ": "));
  EXPECT_THAT(scenario.error().message, HasSubstr(rest.substr(place + 2)));
  EXPECT_EQ(scenario.error().message.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Files, Conformance, testing::ValuesIn(Cases()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace cbench::scenario
