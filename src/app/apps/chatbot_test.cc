#include <gmock/gmock.h>

#include <set>

#include "app/testing.h"

namespace cbench::app {
namespace {

using scenario::AppType;
using scenario::SloMetric;
using testing::HasSubstr;

constexpr char kTwoPrompts[] =
    "{\"id\":\"a\",\"prompt\":\"first\",\"max_tokens\":20,\"followups\":[\"more\",\"again\"]}\n"
    "{\"id\":\"b\",\"messages\":[{\"role\":\"system\",\"content\":\"Be kind.\"},"
    "{\"role\":\"user\",\"content\":\"second\"}]}\n";

struct ChatTest : testing::Test {
  ChatTest() : bench(AppType::kChatbot) {
    bench.folder.Write("chat.jsonl", kTwoPrompts);
    bench.spec.prompts = "chat.jsonl";
  }
  std::vector<std::string> Questions() {
    std::vector<std::string> questions;
    for (const auto& chat : bench.engine.chats) questions.push_back(chat.messages.back().content);
    return questions;
  }
  std::string System(std::size_t i) { return bench.engine.chats.at(i).messages.at(0).content; }
  Bench bench;
};

TEST_F(ChatTest, AsksAsManyTimesAsTheTaskSaysAndReportsEach) {
  bench.task.requests = 5;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_EQ(bench.app->PlannedRequests(bench.context()), 5);
  ASSERT_EQ(bench.sink.issued.size(), 5u);
  EXPECT_EQ(bench.sink.finished.size(), 5u);
  EXPECT_EQ(bench.sink.issued[0].kind, "chat");
  EXPECT_EQ(bench.sink.finished.at(1).t_sched, bench.sink.issued[0].t_sched);
  EXPECT_EQ(bench.engine.chats[0].t_sched, bench.sink.issued[0].t_sched);
}

TEST_F(ChatTest, TheSeedDecidesTheQuestionsButNoTwoConversationsShareAPrefix) {
  bench.task.requests = 4;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  ASSERT_TRUE(bench.Run().has_value());  // the next repetition
  const auto asked = Questions();
  ASSERT_EQ(asked.size(), 8u);
  std::set<std::string> lines;
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(asked[i], asked[i % 4]);
    const std::string system = System(i);
    EXPECT_TRUE(system.starts_with("Session "));
    lines.insert(system.substr(0, system.find('\n')));
  }
  EXPECT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines.begin()->size(), std::string("Session 123456789.").size());
}

TEST_F(ChatTest, ThePromptsOwnSystemMessageStays) {
  bench.task.requests = 2;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  const std::size_t second = Questions()[0] == "second" ? 0 : 1;
  EXPECT_THAT(System(second), HasSubstr("\nBe kind."));
  EXPECT_THAT(System(1 - second), HasSubstr("helpful"));
  EXPECT_EQ(bench.engine.chats[second].messages.size(), 2u);
}

TEST_F(ChatTest, LaterTurnsCarryTheAnswers) {
  bench.spec.turns = 3;
  bench.task.requests = 4;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_THAT(Questions(), testing::ElementsAre("first", "more", "again", "first"));
  const auto& last = bench.engine.chats[2].messages;
  ASSERT_EQ(last.size(), 6u);
  EXPECT_EQ(last[2].role, "assistant");
  EXPECT_EQ(last[2].content, "An answer.");
  EXPECT_EQ(last[0].content, System(1));
  EXPECT_NE(last[0].content, System(3));
}

TEST_F(ChatTest, AFailureEndsItsConversationNotTheTask) {
  bench.spec.turns = 3;
  bench.task.requests = 3;
  bench.engine.chat = [this](const auto&) {
    return bench.engine.chats.size() == 2 ? FakeEngine::Failed("http") : FakeEngine::Answer("x");
  };
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_THAT(Questions(), testing::ElementsAre("first", "more", "first"));
  EXPECT_EQ(bench.FailureOf(2), "http");
  EXPECT_EQ(bench.FailureOf(3), "");
}

TEST_F(ChatTest, LengthComesFromScenarioThenPromptThenDefault) {
  bench.task.requests = 2;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  bench.spec.max_tokens = 33;
  bench.spec.ignore_eos = true;
  ASSERT_TRUE(bench.Run().has_value());
  std::vector<int> lengths;
  for (const auto& chat : bench.engine.chats) lengths.push_back(chat.max_tokens);
  EXPECT_THAT(std::vector(lengths.begin(), lengths.begin() + 2),
              testing::UnorderedElementsAre(20, 128));
  EXPECT_THAT(std::vector(lengths.begin() + 2, lengths.end()), testing::Each(33));
  EXPECT_FALSE(bench.engine.chats[0].ignore_eos);
  EXPECT_TRUE(bench.engine.chats[2].ignore_eos);
}

TEST_F(ChatTest, TellsTheEngineHowUrgentItIs) {
  bench.spec.slo = {{SloMetric::kTtft, kSecond}, {SloMetric::kTpot, 250 * kMillisecond}};
  bench.spec.timeout = 9 * kSecond;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  const engine::ChatRequest& chat = bench.engine.chats.at(0);
  EXPECT_EQ(chat.urgency.app, "user");
  EXPECT_EQ(chat.urgency.deadline, chat.t_sched + kSecond);
  EXPECT_EQ(chat.urgency.per_step, 250 * kMillisecond);
  EXPECT_EQ(chat.timeout, 9 * kSecond);
}

TEST_F(ChatTest, StopsIssuingWhenCancelled) {
  bench.task.requests = 100;
  bench.engine.chat = [this](const auto&) {
    if (bench.engine.chats.size() < 3) return FakeEngine::Answer("x");
    bench.cancel.Trigger();
    return FakeEngine::Failed("cancelled");
  };
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_EQ(bench.sink.issued.size(), 3u);
  EXPECT_EQ(bench.FailureOf(3), "cancelled");
}

TEST_F(ChatTest, TooManyTurnsForTheFileIsAnError) {
  bench.spec.turns = 9;
  const auto prepared = bench.Prepare();
  ASSERT_FALSE(prepared.has_value());
  EXPECT_THAT(prepared.error().message, HasSubstr("chat.jsonl: no prompt has the 8 followups"));
}

TEST_F(ChatTest, ArrivalsByTheClockDoNotWaitForAnswers) {
  bench.spec.every = 2 * kMillisecond;
  bench.spec.turns = 2;
  bench.task.requests = 4;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  ASSERT_EQ(bench.sink.issued.size(), 4u);
  std::set<Nanos> due;  // a conversation's first request is due when it arrives
  for (const auto& issued : bench.sink.issued) due.insert(issued.t_sched);
  EXPECT_GE(*due.rbegin() - *due.begin(), 2 * kMillisecond);
}

}  // namespace
}  // namespace cbench::app
