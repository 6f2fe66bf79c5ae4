#include "record/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace cbench::record {
namespace {

using testing::HasSubstr;

std::vector<Json> Lines(const std::string& text) {
  std::vector<Json> lines;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
    lines.push_back(*ParseJson(text.substr(at, text.find('\n', at) - at), "case"));
  return lines;
}

// "t probe name value unit" of what `lines` hold, or the first error.
std::vector<std::string> ReadBack(const std::vector<Json>& lines) {
  std::vector<std::string> samples;
  SampleReader reader([&samples](const Sample& s) {
    samples.push_back(fmt::format("{} {} {} {} {}", s.t, s.probe, s.name,
                                  s.value ? fmt::to_string(*s.value) : "null", s.unit));
  });
  for (const Json& line : lines) {
    if (const auto taken = reader.Take(line); !taken) return {taken.error().message};
  }
  return samples;
}

TEST(SampleLines, AReadingIsALineAndUnitsAreWrittenOnce) {
  SampleLines lines;
  const std::vector<Sample> first = {{1500, "memory", "available", "bytes", 4096.0},
                                     {1500, "memory", "swap_used", "bytes", std::nullopt},
                                     {1500, "cpu", "busy", "ratio", 1.0 / 3}};
  EXPECT_EQ(lines.Format(first, 1000),
            "{\"probe\":\"memory\",\"units\":{\"available\":\"bytes\",\"swap_used\":\"bytes\"}}\n"
            "{\"t\":500,\"probe\":\"memory\",\"values\":{\"available\":4096,\"swap_used\":null}}\n"
            "{\"probe\":\"cpu\",\"units\":{\"busy\":\"ratio\"}}\n"
            "{\"t\":500,\"probe\":\"cpu\",\"values\":{\"busy\":0.3333333}}\n");
  const std::vector<Sample> second = {{1600, "memory", "available", "bytes", 0.0},
                                      {1700, "memory", "available", "bytes", 1.0}};
  EXPECT_EQ(lines.Format(second, 1000),
            "{\"t\":600,\"probe\":\"memory\",\"values\":{\"available\":0}}\n"
            "{\"t\":700,\"probe\":\"memory\",\"values\":{\"available\":1}}\n");
  EXPECT_EQ(lines.Format({}, 0), "");
}

TEST(SampleLines, RoundTripHostileNamesAndNumbersThatAreNone) {
  SampleLines lines;
  const std::vector<Sample> samples = {
      {1, "p\"\n", "a\x1b\"}", "u", 1e300},
      {1, "p\"\n", "\xFF", "u", std::numeric_limits<double>::quiet_NaN()},
      {1, "p\"\n", "c", "u", -std::numeric_limits<double>::infinity()},
      {1, "p\"\n", "d", "u", -12345678901.0}};
  EXPECT_THAT(ReadBack(Lines(lines.Format(samples, 0))),
              testing::ElementsAre("1 p\"\n a\x1b\"} 1e+300 u", "1 p\"\n \xEF\xBF\xBD null u",
                                   "1 p\"\n c null u", "1 p\"\n d -12345678901 u"));
}

TEST(SampleReader, ReadsTheOldForm) {
  EXPECT_THAT(ReadBack(Lines(R"({"t":1,"probe":"cpu","name":"busy","unit":"ratio","value":0.5}
{"t":2,"probe":"cpu","name":"busy","unit":"ratio","value":null}
)")),
              testing::ElementsAre("1 cpu busy 0.5 ratio", "2 cpu busy null ratio"));
}

TEST(SampleReader, MalformedLinesAreErrors) {
  const std::string units = R"({"probe":"p","units":{"a":"s"}})";
  for (const auto& [line, error] : std::vector<std::pair<std::string, std::string>>{
           {"3", "is not an object"},
           {"{}", "\"probe\" is missing"},
           {R"({"probe":"p"})", "\"values\" is missing"},
           {R"({"probe":"p","units":3})", "\"units\" is not an object"},
           {R"({"probe":"p","units":{"b":1}})", "the unit of \"b\""},
           {R"({"probe":"p","values":{"a":1}})", "\"t\" is missing"},
           {R"({"t":1,"probe":"p","values":{"b":1}})", "\"b\" has no unit yet"},
           {R"({"t":1,"probe":"q","values":{"a":1}})", "\"a\" has no unit yet"},
           {R"({"t":1,"probe":"p","values":{"a":"x"}})", "neither a number nor null"},
           {R"({"t":1,"probe":"p","name":"a","unit":"s"})", "\"value\" is missing"},
           {R"({"t":1,"probe":"p","name":"a","unit":"s","value":[]})", "neither a number"}}) {
    const auto read = ReadBack(Lines(units + "\n" + line + "\n"));
    ASSERT_EQ(read.size(), 1u) << line;
    EXPECT_THAT(read[0], HasSubstr(error)) << line;
  }
}

}  // namespace
}  // namespace cbench::record
