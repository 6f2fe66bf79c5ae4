#include "report/html/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "report/html/columns.h"
#include "report/html/page_data.h"
#include "report/html/spans.h"
#include "report/testing.h"

namespace cbench::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kHostile[] = "</script><b>&\xE2\x80\xA8<!-- \x01";

std::size_t Count(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

Tape Hostile() {
  Tape tape;
  tape.record().header.name = kHostile;
  tape.record().header.engines = {{kHostile, kHostile}};
  RequestDone done = Chat(100, 10);
  done.failure = record::Failure{kHostile, kHostile};
  tape.Run(kHostile).Task(0, kHostile, "started").Done(done).Task(5000, kHostile, kHostile).End();
  return tape;
}

TEST(EmbeddedJson, CanNotEndItsElement) {
  const Json json = {{kHostile, kHostile}};
  const std::string text = EmbeddedJson(json);
  EXPECT_THAT(text, Not(testing::ContainsRegex("[<>&]")));
  for (const char c : text) EXPECT_TRUE(c >= ' ' && c <= '~');
  EXPECT_EQ(*ParseJson(text, "page"), json);
}

TEST(PageHtml, HasThreeScriptsWhateverTheRecordSays) {
  Tape tape = Hostile();
  const std::string html = ToHtml(tape.Compute(), tape.record());
  EXPECT_EQ(Count(html, "<script"), 3u);
  EXPECT_EQ(Count(html, "</script>"), 3u);
  EXPECT_EQ(Count(html, "<b>"), 0u);
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  EXPECT_THAT(html, Not(HasSubstr("src=\"")));
}

TEST(PageData, HasItsSchemaAndTheSummary) {
  Tape tape;
  tape.Run().Task(0, "talk", "started").Done(Chat(100, 10)).Task(5000, "talk", "finished").End();
  const Json data = PageData(tape.Compute(), tape.record());
  EXPECT_EQ(data["schema"], "cbench.page/1");
  EXPECT_EQ(data["summary"]["schema"], "cbench.summary/1");
  EXPECT_EQ(data["apps"][0]["name"], "chat");
  const Json& requests = data["runs"][0]["requests"];
  EXPECT_EQ(requests["t"], Json::array({1'000'000}));
  EXPECT_EQ(requests["length"], 200'000);
  EXPECT_EQ(requests["outcome"], 1);
  EXPECT_EQ(requests["first"], 100'000);
  EXPECT_EQ(requests["size"], 11);
  EXPECT_EQ(data["runs"][0]["rows"][0][0]["label"], "ttft");
}

// What is not known is null, never 0.
TEST(PageData, NullIsKept) {
  Tape tape;
  tape.Run().Task(0, "talk", "started");
  const Json data = PageData(tape.Compute(), tape.record());
  const Json& run = data["summary"]["runs"][0];
  EXPECT_TRUE(run["makespan_s"].is_null());
  EXPECT_TRUE(run["tasks"]["talk"]["attainment"].is_null());
  EXPECT_TRUE(data["runs"][0]["rows"][0][0]["p50"].is_null());
  EXPECT_TRUE(data["runs"][0]["curves"].empty());
}

TEST(PageData, ARequestWithoutItsEndGoesOnUntilTheRunDoes) {
  Tape tape;
  tape.Run().Task(0, "talk", "started");
  tape.Put(100, record::RequestIssued{7, "talk", "chat", 100 * kMs}).Put(400, record::RunEnd{"x"});
  const Json requests = PageData(tape.Compute(), tape.record())["runs"][0]["requests"];
  EXPECT_EQ(requests["t"], Json::array({100'000}));
  EXPECT_EQ(requests["length"], 300'000);
  EXPECT_EQ(requests["outcome"], 4);
}

TEST(PageData, WhatTheMonitorRecordedIsNotJudged) {
  Tape tape;
  EXPECT_EQ(PageData(tape.Compute(), tape.record())["monitor"], false);
  tape.record().header.scenario = {{"monitor", true}};
  tape.Run("monitor").End();
  const Json data = PageData(tape.Compute(), tape.record());
  EXPECT_EQ(data["monitor"], true);
  EXPECT_EQ(data["headline"], "The device was watched for 9.00 s.");
  Tape command;
  command.record().header.scenario = {{"monitor", true}};
  command.Run("monitor").Task(0, "command", "started").Task(9000, "command", "failed").End();
  EXPECT_EQ(PageData(command.Compute(), command.record())["headline"],
            "The command failed after 9.00 s.");
}

TEST(PageData, ARecordWithoutRunsIsAPage) {
  Tape tape;
  EXPECT_TRUE(PageData(tape.Compute(), tape.record())["runs"].empty());
}

Nanos Below(Nanos most, std::mt19937& random) { return static_cast<Nanos>(random()) % most; }

record::Step RandomStep(std::mt19937& random, Nanos& t) {
  record::Step step{"text", random() % 8 ? "decode" : "prefill"};
  step.app = random() % 2 ? "chat" : "art";
  step.asked = t;
  step.begin = t + Below(3 * kMs, random);
  step.end = t = step.begin + kMs + Below(15 * kMs, random);
  step.predicted = kMs + Below(15 * kMs, random);
  t += Below(4 * kMs, random);
  step.size = 1 + static_cast<int>(Below(500, random));
  return step;
}

// Stamps as far apart as a record may hold, again and again.
TEST(PageHtml, ExtremeStampsAreAPage) {
  constexpr Nanos kFar = Nanos{1} << 61;
  Tape tape;
  tape.Run("credit").Task(0, "talk", "started");
  RequestDone done = Chat(100, 10);
  done.t_sched = done.t_send = -kFar;
  done.t_end = kFar;
  done.deltas.assign(11, kFar);
  for (int i = 0; i < 9; ++i) {
    record::Step step{"text", "decode", -kFar, kFar};
    step.asked = -kFar;
    step.predicted = kFar;
    tape.Done(done).Put(0, step);
  }
  const Json data = PageData(tape.Compute(), tape.record(), {1, 1, 1});
  EXPECT_EQ(data["runs"][0]["steps"]["count"], 9);
  EXPECT_EQ(data["runs"][0]["steps"]["busy"], 9'000'000'000'000'000);
}

// An hour, 200 000 events: 170 000 steps and 15 000 requests.
TEST(PageHtml, ALongRunStaysSmall) {
  Tape tape;
  std::mt19937 random(1);
  tape.Run("credit").Task(0, "talk", "started");
  Nanos t = kSecond;
  for (int i = 0; i < 170'000; ++i) {
    tape.Put(t / kMs, RandomStep(random, t));
    if (i % 11 == 0) tape.Done(Chat(1 + Below(900, random), 1 + Below(300, random), t / kMs));
  }
  tape.Task(t / kMs, "talk", "finished").Put(t / kMs, record::RunEnd{"done"});
  const std::string html = ToHtml(tape.Compute(), tape.record());
  EXPECT_LT(html.size(), 3'000'000u);
  const Json steps = PageData(tape.Compute(), tape.record())["runs"][0]["steps"];
  EXPECT_EQ(steps["thinned"]["total"], 170'000);
  EXPECT_GT(steps["thinned"]["gap"], 0);
  EXPECT_EQ(steps["thinned"]["dropped"], 0);
  EXPECT_LE(steps["t"].size(), SpanBudget().steps);
}

TEST(Thin, MergesNeighboursOfAGroupOnly) {
  const auto span = [](int group, Nanos from, Nanos to) {
    Span one;
    one.group = group, one.asked = one.begin = from, one.end = to;
    one.busy = static_cast<double>(to - from);
    return one;
  };
  const std::vector<Span> spans = {span(1, 5'000, 6'000), span(0, 0, 1'000), span(0, 1'500, 2'000),
                                   span(0, 9'000'000, 9'001'000)};
  EXPECT_EQ(Thin(spans, 4).gap, 0);
  const ThinnedSpans few = Thin(spans, 3);
  ASSERT_EQ(few.spans.size(), 3u);
  EXPECT_EQ(few.gap, kMicrosecond);
  EXPECT_EQ(few.spans[0].count, 2);
  EXPECT_EQ(few.spans[0].end, 2'000);
  EXPECT_EQ(few.spans[0].busy, 1'500);
  EXPECT_EQ(Thin(spans, 1).dropped, 1u);
}

TEST(Columns, AreShort) {
  EXPECT_EQ(DeltaJson({100, 105, 103}), Json::array({100, 5, -2}));
  EXPECT_EQ(PlainJson({7, 7}), 7);
  EXPECT_EQ(PlainJson({7, 8}), Json::array({7, 8}));
  EXPECT_EQ(PlainJson({}), Json::array());
}

}  // namespace
}  // namespace cbench::report
