#include <gmock/gmock.h>

#include "app/testing.h"

namespace cbench::app {
namespace {

using scenario::AppType;
using testing::HasSubstr;

Json Call(const char* name, Json arguments) {
  return Json::array({{{"id", "call_1"}, {"name", name}, {"arguments", std::move(arguments)}}});
}

// Home is a folder with a library of two articles, and one question.
struct ResearchTest : testing::Test {
  ResearchTest() : bench(AppType::kDeepResearch) {
    bench.folder.Write("data/corpus/bridges.md", "# Bridges\n\nAn arch works by compression.\n");
    bench.folder.Write("data/corpus/rivers.md", "# Rivers\n\nA river carries sand.\n");
    bench.folder.Write("data/prompts/research.jsonl",
                       "{\"id\":\"q\",\"question\":\"How do arches stand?\","
                       "\"queries\":[\"arch compression\",\"bridges or sand\"]}\n");
    bench.engine.engine_spec.model = "synth:llama-3.2-3b";
  }
  Result<> PrepareAndRun() {
    const Context outer = bench.context();
    const Context inner{outer.app,    outer.task, outer.engine,        outer.sink,
                        outer.cancel, outer.seed, bench.folder.path(), outer.directory};
    CBENCH_TRY(bench.app->Prepare(inner));
    return bench.app->Run(inner);
  }
  // The engine gives these answers in turn, and the last one again and again.
  void Answers(const std::vector<engine::ChatAnswer>& answers) {
    bench.engine.engine_spec.model = "/models/real.gguf";
    bench.engine.chat = [this, answers](const auto&) {
      return answers[std::min(bench.engine.chats.size(), answers.size()) - 1];
    };
  }
  std::string LastSeen() { return bench.engine.chats.back().messages.back().content; }
  const record::RequestDone& Done() { return bench.sink.finished.at(1); }
  Bench bench;
};

TEST_F(ResearchTest, ScriptGoesThroughEveryStageOnAGrowingContext) {
  ASSERT_TRUE(PrepareAndRun().has_value());
  const auto& chats = bench.engine.chats;
  ASSERT_EQ(chats.size(), 1u + 2 * 3 + 1);
  for (std::size_t i = 1; i < chats.size(); ++i) {
    EXPECT_GT(chats[i].messages.size(), chats[i - 1].messages.size());
    EXPECT_TRUE(chats[i].tools.is_null());
  }
  const auto& all = chats.back().messages;
  EXPECT_THAT(all[0].content, HasSubstr("Session "));
  EXPECT_EQ(all[1].content, "How do arches stand?");
  EXPECT_THAT(chats[2].messages.back().content, HasSubstr("bridges: Bridges"));
  EXPECT_THAT(chats[3].messages.back().content, HasSubstr("works by compression"));
  EXPECT_THAT(chats[6].messages.back().content, HasSubstr("carries sand"));  // the unread one
}

TEST_F(ResearchTest, OneRequestHoldsTheSums) {
  ASSERT_TRUE(PrepareAndRun().has_value());
  ASSERT_EQ(bench.sink.issued.size(), 1u);
  EXPECT_EQ(bench.sink.issued[0].kind, "episode");
  EXPECT_EQ(Done().llm_calls, 8);
  EXPECT_EQ(Done().llm_time, 8 * 10);
  EXPECT_GT(Done().tool_time, 0);
  EXPECT_EQ(Done().prompt_tokens, 800);
  EXPECT_EQ(Done().cached_tokens, 80);
  EXPECT_EQ(Done().usage_tokens, 40);
  EXPECT_EQ(Done().stream_tokens, 32);
  EXPECT_TRUE(Done().deltas.empty());
  EXPECT_LT(Done().t_first, Done().t_last);
  EXPECT_LE(Done().t_last, Done().t_end + 10);
  EXPECT_EQ(Done().output, "An answer.");
  EXPECT_FALSE(Done().failure.has_value());
}

TEST_F(ResearchTest, AMissingUsageMakesTheSumMissing) {
  bench.engine.chat = [this](const auto&) {
    auto answer = FakeEngine::Answer("x");
    if (bench.engine.chats.size() == 3) answer.done.usage_tokens.reset();
    return answer;
  };
  ASSERT_TRUE(PrepareAndRun().has_value());
  EXPECT_EQ(Done().usage_tokens, std::nullopt);
}

TEST_F(ResearchTest, AFailedCallFailsTheEpisode) {
  bench.engine.chat = [this](const auto&) {
    return bench.engine.chats.size() == 4 ? FakeEngine::Failed("timeout") : FakeEngine::Answer("x");
  };
  ASSERT_TRUE(PrepareAndRun().has_value());
  EXPECT_EQ(bench.engine.chats.size(), 4u);
  EXPECT_EQ(bench.FailureOf(1), "timeout");
  EXPECT_EQ(Done().llm_calls, 4);
}

TEST_F(ResearchTest, CancelledBetweenTwoCalls) {
  bench.task.requests = 3;
  bench.engine.chat = [this](const auto&) {
    bench.cancel.Trigger();
    return FakeEngine::Answer("x");
  };
  ASSERT_TRUE(PrepareAndRun().has_value());
  EXPECT_EQ(bench.sink.issued.size(), 1u);
  EXPECT_EQ(bench.engine.chats.size(), 1u);
  EXPECT_EQ(bench.FailureOf(1), "cancelled");
}

TEST_F(ResearchTest, TheTimeLimitIsTheEpisodes) {
  bench.spec.timeout = 1;
  ASSERT_TRUE(PrepareAndRun().has_value());
  EXPECT_EQ(bench.FailureOf(1), "timeout");
}

TEST_F(ResearchTest, LongLibraryStaysWithinTheContext) {
  bench.folder.Write("data/corpus/bridges.md",
                     "# Bridges\n\n" + std::string(20'000, 'b') + " arch");
  bench.engine.engine_spec.context = 1024;
  ASSERT_TRUE(PrepareAndRun().has_value());
  for (const auto& chat : bench.engine.chats) {
    std::size_t size = 0;
    for (const auto& message : chat.messages) size += message.content.size();
    EXPECT_LE(size / 4 + static_cast<std::size_t>(chat.max_tokens), 1024u);
  }
}

TEST_F(ResearchTest, MaxTokensBoundsEveryAnswer) {
  bench.spec.max_tokens = 20;
  bench.spec.ignore_eos = true;
  ASSERT_TRUE(PrepareAndRun().has_value());
  for (const auto& chat : bench.engine.chats) {
    EXPECT_LE(chat.max_tokens, 20);
    EXPECT_TRUE(chat.ignore_eos);
  }
}

TEST_F(ResearchTest, AModelUsesItsTools) {
  Answers({FakeEngine::Answer("", Call("search", "{\"query\": \"arch\"}")),
           FakeEngine::Answer("", Call("read", {{"id", "bridges"}})),
           FakeEngine::Answer("", Call("note", {{"text", "compression"}})),
           FakeEngine::Answer("", Call("finish", {{"report", "They press."}}))});
  ASSERT_TRUE(PrepareAndRun().has_value());
  const auto& chats = bench.engine.chats;
  ASSERT_EQ(chats.size(), 4u);
  EXPECT_EQ(chats[0].tools.size(), 4u);
  const auto& result = chats[1].messages.back();
  EXPECT_EQ(result.role, "tool");
  EXPECT_EQ(result.tool_call_id, "call_1");
  EXPECT_THAT(result.content, HasSubstr("bridges: Bridges"));
  EXPECT_EQ(chats[1].messages[2].tool_calls[0]["name"], "search");
  EXPECT_THAT(chats[2].messages.back().content, HasSubstr("works by compression"));
  EXPECT_EQ(Done().finish_reason, "finish");
  EXPECT_EQ(Done().output, "They press.");
}

TEST_F(ResearchTest, NonsenseCallsAreAnsweredWithWhatWouldBeRight) {
  for (const auto& [calls, answer] : std::vector<std::pair<Json, const char*>>{
           {Call("browse", {{"url", "x"}}), "there is no tool \"browse\""},
           {Call("search", "{oops"), "must be JSON like {\"query\""},
           {Call("search", {{"query", 3}}), "must be JSON like"},
           {Call("read", {{"id", "atlantis"}}), "no article has the id \"atlantis\""},
           {Call("search", {{"query", "\" AND ("}}), "No article matches"},
           {Json::array({1}), "there is no tool \"\""}}) {
    bench.engine.chats.clear();
    Answers(
        {FakeEngine::Answer("", calls), FakeEngine::Answer("", Call("finish", {{"report", "r"}}))});
    ASSERT_TRUE(PrepareAndRun().has_value());
    EXPECT_THAT(LastSeen(), HasSubstr(answer));
    const Json& said = bench.engine.chats[1].messages[2].tool_calls[0];
    const auto kept = ParseJson(said["arguments"].get<std::string>(), "arguments");
    EXPECT_TRUE(kept.has_value() && kept->is_object());
  }
}

TEST_F(ResearchTest, AModelThatCallsNothingIsRemindedThenMadeToWrite) {
  Answers({FakeEngine::Answer("Just text.")});
  ASSERT_TRUE(PrepareAndRun().has_value());
  EXPECT_EQ(bench.engine.chats.size(), 4u);
  EXPECT_THAT(bench.engine.chats[1].messages.back().content, HasSubstr("Call one of the tools"));
  EXPECT_TRUE(bench.engine.chats.back().tools.is_null());
  EXPECT_EQ(Done().finish_reason, "forced");
  EXPECT_EQ(Done().output, "Just text.");
}

TEST_F(ResearchTest, AModelThatNeverFinishesIsBounded) {
  Answers({FakeEngine::Answer("", Call("search", {{"query", "arch"}}))});
  ASSERT_TRUE(PrepareAndRun().has_value());
  EXPECT_EQ(bench.engine.chats.size(), 13u);
  EXPECT_EQ(Done().finish_reason, "forced");
}

}  // namespace
}  // namespace cbench::app
