#include "app/dataset.h"

#include <gmock/gmock.h>

#include "app/prompts.h"
#include "app/testing.h"

namespace cbench::app {
namespace {

using testing::HasSubstr;

std::string ChatError(const std::string& text) {
  const ScratchFolder folder;
  const auto loaded = LoadChatPrompts(folder.Write("p.jsonl", text));
  return loaded ? "" : loaded.error().message;
}

TEST(ReadJsonLines, SkipsBlankLinesAndKeepsNumbers) {
  const ScratchFolder folder;
  const auto path = folder.Write("a.jsonl", "\xEF\xBB\xBF{\"a\":1}\r\n\n  \r\n{\"a\":2}");
  const auto lines = ReadJsonLines(path);
  ASSERT_TRUE(lines.has_value());
  ASSERT_EQ(lines->size(), 2u);
  EXPECT_EQ((*lines)[1].where, path.string() + ":4");
}

TEST(ReadJsonLines, RefusesAHugeFile) {
  const ScratchFolder folder;
  const auto path = folder.Write("a.jsonl", std::string(9u << 20, ' '));
  const auto lines = ReadJsonLines(path);
  ASSERT_FALSE(lines.has_value());
  EXPECT_THAT(lines.error().message, HasSubstr("over the limit"));
}

TEST(LoadChatPrompts, NamesFileAndLine) {
  const std::string good = "{\"id\":\"1\",\"prompt\":\"hi\"}\n";
  EXPECT_THAT(ChatError(""), HasSubstr("p.jsonl: holds no line"));
  EXPECT_THAT(ChatError(good + "{oops"), HasSubstr("p.jsonl:2: not valid JSON"));
  EXPECT_THAT(ChatError(good + "[1]"), HasSubstr("p.jsonl:2: not a JSON object"));
  EXPECT_THAT(ChatError(good + "{\"id\":\"\xFF\"}"), HasSubstr("p.jsonl:2: not UTF-8"));
  EXPECT_THAT(ChatError(good + std::string(3, '\0')), HasSubstr("p.jsonl:2: a NUL character"));
  EXPECT_THAT(ChatError("{\"prompt\":\"x\"}"), HasSubstr("p.jsonl:1: \"id\" is missing"));
  EXPECT_THAT(ChatError("{\"id\":\"1\"}"), HasSubstr("\"prompt\" is missing"));
  EXPECT_THAT(ChatError("{\"id\":\"1\",\"prompt\":\"\"}"), HasSubstr("not empty"));
  EXPECT_THAT(ChatError("{\"id\":\"1\",\"prompt\":\"x\",\"max_tokens\":0}"), HasSubstr("from 1"));
  EXPECT_THAT(ChatError("{\"id\":\"1\",\"prompt\":\"x\",\"max_tokens\":1e99}"),
              HasSubstr("whole number"));
  EXPECT_THAT(ChatError("{\"id\":\"1\",\"prompt\":\"x\",\"followups\":\"y\"}"), HasSubstr("list"));
  EXPECT_THAT(ChatError("{\"id\":\"1\",\"messages\":[{\"role\":\"boss\",\"content\":\"x\"}]}"),
              HasSubstr("\"boss\""));
  EXPECT_THAT(ChatError("{\"id\":\"1\",\"messages\":[]}"), HasSubstr("end with"));
  EXPECT_EQ(ChatError(good), "");
}

TEST(FindFile, LooksInTheScenariosFolderThenAtHome) {
  Bench bench(scenario::AppType::kChatbot);
  const auto own = bench.folder.Write("data/prompts/chat.jsonl", "{}");
  EXPECT_EQ(*FindFile(bench.context(), "prompts", "data/prompts/chat.jsonl", ""), own);
  EXPECT_EQ(*FindFile(bench.context(), "prompts", "data/prompts/image.jsonl", ""),
            std::filesystem::path(CBENCH_SOURCE_DIR) / "data/prompts/image.jsonl");
  EXPECT_EQ(*FindFile(bench.context(), "prompts", own.string(), ""), own);
  const auto missing = FindFile(bench.context(), "prompts", "nowhere.jsonl", "");
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr("test.yaml:3:5: prompts: no such file"));
}

}  // namespace
}  // namespace cbench::app
