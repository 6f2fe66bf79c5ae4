// The wire cases in tests/conformance/sse/, as far as chat answers are concerned, cut at every
// byte. The format of a case is in docs/wire.md.
#include "engine/protocols/openai_chat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/testing/wire_case.h"

namespace cbench::engine {
namespace {

using testing::HasSubstr;

ChatAnswer Parse(const std::vector<std::string_view>& pieces) {
  ChatAnswer answer;
  ChatStream stream(answer);
  Nanos t = 0;
  for (const std::string_view piece : pieces) {
    // A copy that dies at once: a view kept too long shows under asan.
    const std::string bytes(piece);
    if (!stream.Feed(bytes, t += kMillisecond)) break;
  }
  if (!answer.done.failure) stream.Finish();
  stream.Close();
  return answer;
}

std::string TextOf(const Json& chat, const char* key) {
  const Json* member = FindMember(chat, key);
  return member ? ExpandBytes(*member) : "";
}

std::vector<int> CountsOf(const Json& chat) {
  const Json* counts = FindMember(chat, "counts");
  return counts ? counts->get<std::vector<int>>() : std::vector<int>();
}

void CheckFailure(const ChatAnswer& answer, const Json& chat) {
  const auto& failure = answer.done.failure;
  ASSERT_EQ(failure ? failure->kind : "", TextOf(chat, "failure"))
      << (failure ? failure->message : "");
  if (failure) {
    ASSERT_THAT(failure->message, HasSubstr(TextOf(chat, "message")));
  }
}

void CheckUsage(const record::RequestDone& done, const Json& chat) {
  ASSERT_EQ(done.usage_tokens, CountAt(chat, "usage_tokens"));
  ASSERT_EQ(done.prompt_tokens, CountAt(chat, "prompt_tokens").value_or(0));
  ASSERT_EQ(done.cached_tokens, CountAt(chat, "cached_tokens").value_or(0));
  ASSERT_EQ(done.finish_reason, TextOf(chat, "finish_reason"));
}

// The stamps must agree with the counts, wherever the cut was.
void CheckStamps(const record::RequestDone& done, const Json& chat) {
  ASSERT_EQ(done.counts, CountsOf(chat));
  ASSERT_EQ(done.stream_tokens, CountAt(chat, "stream_tokens").value_or(0));
  ASSERT_EQ(done.stream_tokens, std::accumulate(done.counts.begin(), done.counts.end(), 0));
  ASSERT_EQ(done.deltas.size(), done.counts.size());
  ASSERT_EQ(done.t_first == 0, done.counts.empty());
  ASSERT_EQ(done.t_last, std::accumulate(done.deltas.begin(), done.deltas.end(), done.t_first));
  const bool no_content = done.counts.empty() || FindMember(chat, "no_content");
  ASSERT_EQ(done.t_first_content == 0, no_content);
}

void Check(const ChatAnswer& answer, const Json& chat) {
  ASSERT_EQ(answer.content, TextOf(chat, "content"));
  ASSERT_EQ(answer.reasoning, TextOf(chat, "reasoning"));
  const Json* calls = FindMember(chat, "tool_calls");
  ASSERT_EQ(answer.tool_calls, calls ? *calls : Json(nullptr));
  CheckFailure(answer, chat);
  CheckUsage(answer.done, chat);
  CheckStamps(answer.done, chat);
}

class ChatCase : public testing::TestWithParam<WireCase> {};

TEST_P(ChatCase, GivesItsAnswerHoweverTheBytesAreCut) {
  const WireCase& wire = GetParam();
  const Json& chat = wire.expected.at("chat");
  ASSERT_NO_FATAL_FAILURE(Check(Parse({wire.bytes}), chat));
  ForEachCut(wire.bytes, [&](const std::vector<std::string_view>& pieces) {
    SCOPED_TRACE(fmt::format("cut after {} bytes", pieces[0].size()));
    Check(Parse(pieces), chat);
  });
}

INSTANTIATE_TEST_SUITE_P(Wire, ChatCase, testing::ValuesIn(LoadWireCases("sse", "chat")),
                         [](const auto& test) { return test.param.name; });

TEST(ChatStream, StampsTheArrivalOfEachToken) {
  ChatAnswer answer;
  ChatStream stream(answer);
  stream.Feed("data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
              10);
  stream.Feed("data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"a\"}}]}\n\n", 20);
  stream.Feed(": ping\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b", 30);
  stream.Feed("\"}}]}\n\n", 50);
  stream.Feed("data: {\"choices\":[{\"delta\":{\"content\":\"c\"}}]}\n\n", 90);
  stream.Feed("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n", 100);
  EXPECT_EQ(answer.done.t_first, 20);
  EXPECT_EQ(answer.done.t_first_content, 50);
  EXPECT_EQ(answer.done.t_last, 90);
  EXPECT_EQ(answer.done.deltas, (std::vector<Nanos>{0, 30, 40}));
}

TEST(ChatStream, ShortensTheCopyForPeopleBetweenCharacters) {
  ChatAnswer answer;
  ChatStream stream(answer);
  std::string text = "x";
  for (int i = 0; i < 200; ++i) text += "€";
  stream.Feed("data: {\"choices\":[{\"delta\":{\"content\":\"" + text + "\"}}]}\n\n", 1);
  stream.Close();
  EXPECT_EQ(answer.content, text);
  EXPECT_EQ(answer.done.output, text.substr(0, 400));  // 1 + 133 * 3 bytes
}

TEST(ChatBody, AsksForWhatWasWanted) {
  ChatRequest request;
  request.messages = {{"user", "hi", {}, nullptr}};
  request.max_tokens = 7;
  request.seed = 5;
  Json body = ChatBody(request, "m", "max_completion_tokens");
  EXPECT_EQ(body["model"], "m");
  EXPECT_EQ(body["max_completion_tokens"], 7);
  EXPECT_EQ(body["seed"], 5);
  EXPECT_EQ(body["stream_options"]["include_usage"], true);
  for (const char* key : {"max_tokens", "ignore_eos", "min_tokens", "stop", "tools"}) {
    EXPECT_FALSE(body.contains(key)) << key;
  }
  request.ignore_eos = true;
  request.stop = {"\n"};
  request.tools = Json::array({Json::object()});
  body = ChatBody(request, "m", "max_tokens");
  EXPECT_EQ(body["ignore_eos"], true);
  EXPECT_EQ(body["min_tokens"], 7);
  EXPECT_EQ(body["stop"].size(), 1u);
  EXPECT_EQ(body["tools"].size(), 1u);
}

TEST(ChatBody, SendsToolCallsBackInTheServersForm) {
  ChatRequest request;
  const Json calls = Json::array({{{"id", "c1"}, {"name", "search"}, {"arguments", "{}"}}});
  request.messages = {{"assistant", "", {}, calls}, {"tool", "found", "c1", nullptr}};
  const Json body = ChatBody(request, "m", "max_tokens");
  const Json& call = body["messages"][0]["tool_calls"][0];
  EXPECT_EQ(call["type"], "function");
  EXPECT_EQ(call["function"]["name"], "search");
  EXPECT_EQ(body["messages"][1]["tool_call_id"], "c1");
}

}  // namespace
}  // namespace cbench::engine
