// The wire cases in tests/conformance/sse/, as far as events are concerned, cut at every byte; and
// the parser's bounds. The format of a case is in docs/wire.md.
#include "base/sse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/wire_case.h"

namespace cbench {
namespace {

using testing::HasSubstr;

struct Parsed {
  std::vector<std::pair<std::string, std::string>> events;
  bool failed = false;
  bool operator==(const Parsed&) const = default;
};

Parsed Parse(const std::vector<std::string_view>& pieces) {
  Parsed parsed;
  SseParser parser;
  const auto keep = [&parsed](const SseEvent& event) {
    parsed.events.emplace_back(event.type, event.data);
  };
  for (const std::string_view piece : pieces) {
    // A copy that dies at once: a view kept too long shows under asan.
    const std::string bytes(piece);
    if (!parser.Feed(bytes, keep)) {
      parsed.failed = true;
      return parsed;
    }
  }
  parsed.failed = !parser.Finish(keep);
  return parsed;
}

Parsed Expected(const Json& expected) {
  Parsed parsed;
  for (const Json& event : expected.at("events")) {
    parsed.events.emplace_back(StringAt(event, "type"), ExpandBytes(event.at("data")));
  }
  parsed.failed = FindMember(expected, "fails") != nullptr;
  return parsed;
}

class SseCase : public testing::TestWithParam<WireCase> {};

TEST_P(SseCase, GivesItsEventsHoweverTheBytesAreCut) {
  const WireCase& wire = GetParam();
  const Parsed expected = Expected(wire.expected);
  EXPECT_EQ(Parse({wire.bytes}).events, expected.events);
  ForEachCut(wire.bytes, [&](const std::vector<std::string_view>& pieces) {
    ASSERT_EQ(Parse(pieces), expected) << "cut after " << pieces[0].size() << " bytes";
  });
}

INSTANTIATE_TEST_SUITE_P(Wire, SseCase, testing::ValuesIn(LoadWireCases("sse", "events")),
                         [](const auto& test) { return test.param.name; });

TEST(Sse, BoundsALineAndAnEvent) {
  const auto ignore = [](const SseEvent&) {};
  SseParser line(100);
  EXPECT_TRUE(line.Feed(std::string(100, 'x'), ignore));
  const auto over = line.Feed("x", ignore);
  ASSERT_FALSE(over);
  EXPECT_THAT(over.error().message, HasSubstr("limit of 100 bytes"));

  SseParser event(100);
  EXPECT_TRUE(event.Feed("data:" + std::string(60, 'x') + "\n", ignore));
  EXPECT_FALSE(event.Feed("data:" + std::string(60, 'x') + "\n", ignore));
}

TEST(Sse, EndlessStreamOfSmallEventsNeedsNoMemory) {
  SseParser parser(64);
  int events = 0;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_TRUE(parser.Feed("data: x\n\n", [&](const SseEvent&) { ++events; }));
  }
  EXPECT_EQ(events, 100000);
}

}  // namespace
}  // namespace cbench
