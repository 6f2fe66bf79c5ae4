#include "embedded/text_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded/http_reply.h"
#include "embedded/text_reply.h"

namespace cbench::embedded {
namespace {

using testing::HasSubstr;

Json Chat(const std::string& more = "") {
  return *ParseJson(R"({"messages": [{"role": "user", "content": "hi"}])" + more + "}", "test");
}

TEST(ParseChat, ReadsEveryField) {
  const auto request = ParseChat(Chat(
      R"(, "max_tokens": 7, "min_tokens": 2, "ignore_eos": true, "temperature": 0, "top_p": 0.5,
         "top_k": 40, "seed": 11, "stop": ["a", "b"], "stream": true, "cache_prompt": false,
         "stream_options": {"include_usage": true, "continuous_usage_stats": true},
         "unknown": 1, "n": 1, "user": null)"));
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->messages.size(), 1u);
  EXPECT_EQ(request->max_tokens, 7);
  EXPECT_EQ(request->min_tokens, 2);
  EXPECT_TRUE(request->ignore_eos && request->stream && request->include_usage &&
              request->continuous_usage);
  EXPECT_FALSE(request->cache_prompt);
  EXPECT_EQ(request->top_k, 40);
  EXPECT_EQ(request->seed, 11u);
  EXPECT_EQ(request->stop, (std::vector<std::string>{"a", "b"}));
}

TEST(ParseChat, AcceptsTheNewerNameOfMaxTokens) {
  EXPECT_EQ(ParseChat(Chat(R"(, "max_completion_tokens": 9)"))->max_tokens, 9);
}

TEST(ParseChat, JoinsTextParts) {
  const auto body = ParseJson(
      R"({"messages": [{"role": "user", "content": [{"type": "text", "text": "a"},
                                                    {"type": "text", "text": "b"}]}]})",
      "test");
  EXPECT_EQ(ParseChat(*body)->messages[0].content, "ab");
}

TEST(ParseChat, PutsToolsIntoTheSystemMessage) {
  const auto request = ParseChat(Chat(R"(, "tools": [{"function": {"name": "search"}}])"));
  ASSERT_TRUE(request);
  EXPECT_TRUE(request->has_tools);
  EXPECT_EQ(request->messages[0].role, "system");
  EXPECT_THAT(request->messages[0].content, HasSubstr("search"));
}

TEST(ParseChat, NamesTheWrongField) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"(, "max_tokens": -1)", "max_tokens"},
      {R"(, "max_tokens": "many")", "max_tokens"},
      {R"(, "max_tokens": 1.5)", "max_tokens"},
      {R"(, "max_tokens": 1e300)", "max_tokens"},
      {R"(, "temperature": "hot")", "temperature"},
      {R"(, "temperature": -1)", "temperature"},
      {R"(, "top_p": 2)", "top_p"},
      {R"(, "seed": 1.5)", "seed"},
      {R"(, "stop": 5)", "stop"},
      {R"(, "stop": [""])", "stop"},
      {R"(, "stream": "yes")", "stream"},
      {R"(, "stream_options": [])", "stream_options"},
      {R"(, "n": 2)", "n:"},
      {R"(, "logprobs": true)", "logprobs"},
      {R"(, "tools": {})", "tools"},
  };
  for (const auto& [text, field] : cases) {
    const auto request = ParseChat(Chat(text));
    ASSERT_FALSE(request) << text;
    EXPECT_THAT(request.error().message, HasSubstr(field)) << text;
  }
}

TEST(ParseChat, RefusesWrongMessages) {
  for (const char* messages : {"null", "5", "[]", "[5]", R"([{"content": "x"}])",
                               R"([{"role": "user"}])", R"([{"role": "user", "content": 5}])",
                               R"([{"role": "user", "content": [{"type": "image_url"}]}])"}) {
    Json body;
    body["messages"] = *ParseJson(messages, "test");
    EXPECT_FALSE(ParseChat(body)) << messages;
  }
}

TEST(ParseCompletion, TakesTextOrTokens) {
  const auto parse = [](const char* text) { return ParseCompletion(*ParseJson(text, "test")); };
  EXPECT_EQ(parse(R"({"prompt": "a"})")->prompt, "a");
  EXPECT_EQ(parse(R"({"prompt": ["a"]})")->prompt, "a");
  EXPECT_EQ(parse(R"({"prompt": [1, 2]})")->prompt_tokens, (std::vector<llama_token>{1, 2}));
  for (const char* wrong : {R"({})", R"({"prompt": []})", R"({"prompt": ["a", "b"]})",
                            R"({"prompt": [-1]})", R"({"prompt": [1e30]})", R"({"prompt": {}})"}) {
    EXPECT_FALSE(parse(wrong)) << wrong;
  }
}

TEST(ParseBody, RefusesDepthAndWrongShapes) {
  EXPECT_TRUE(ParseBody(R"({"a": "[[[[{{{{\"[["})"));
  EXPECT_FALSE(ParseBody("{\"a\":" + std::string(100'000, '[')));
  EXPECT_FALSE(ParseBody("{\"a\":" + std::string(70, '[') + std::string(70, ']') + "}"));
  EXPECT_FALSE(ParseBody("[]"));
  EXPECT_FALSE(ParseBody(""));
  EXPECT_FALSE(ParseBody("{\"a\": \"\xFF\"}"));
}

TEST(ToolCalls, ReadsCallsAndNothingElse) {
  const auto name = [](const std::string& text) {
    const Json calls = ToolCalls(text, "1");
    return calls.is_null() ? "" : calls[0]["function"]["name"].get<std::string>();
  };
  EXPECT_EQ(name(R"( {"name": "search", "parameters": {"q": "x"}} )"), "search");
  EXPECT_EQ(name("<tool_call>\n{\"name\": \"read\", \"arguments\": {}}\n</tool_call>"), "read");
  EXPECT_EQ(name("I would call {\"name\": \"search\"}"), "");
  EXPECT_EQ(name(R"({"answer": 5})"), "");
  EXPECT_EQ(name(""), "");
}

}  // namespace
}  // namespace cbench::embedded
