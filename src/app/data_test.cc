// The data sets that come with cbench: they load, are as varied as docs/apps.md says, and the
// scripted searches find something new to read in every round.
#include <gtest/gtest.h>

#include <set>

#include "app/corpus.h"
#include "app/prompts.h"

namespace cbench::app {
namespace {

const std::filesystem::path kData = CBENCH_SOURCE_DIR "/data";

template <typename T>
std::size_t DistinctIds(const std::vector<T>& prompts) {
  std::set<std::string> ids;
  for (const T& prompt : prompts) ids.insert(prompt.id);
  return ids.size();
}

TEST(Data, ChatPromptsAreVaried) {
  const auto prompts = LoadChatPrompts(kData / "prompts/chat.jsonl");
  ASSERT_TRUE(prompts.has_value()) << prompts.error().message;
  ASSERT_EQ(prompts->size(), 100u);
  EXPECT_EQ(DistinctIds(*prompts), 100u);
  std::size_t shortest = 9999, longest = 0, two_more = 0;
  int tokens = 0;
  for (const ChatPrompt& prompt : *prompts) {
    shortest = std::min(shortest, prompt.messages[0].content.size());
    longest = std::max(longest, prompt.messages[0].content.size());
    two_more += prompt.followups.size() >= 2 ? 1 : 0;
    EXPECT_GE(prompt.max_tokens, 16);
    EXPECT_LE(prompt.max_tokens, 200);
    tokens += prompt.max_tokens;
  }
  EXPECT_LT(shortest, 40u);
  EXPECT_GT(longest, 2300u);
  EXPECT_GE(two_more, 20u);
  EXPECT_NEAR(tokens / 100.0, 64, 8);
}

TEST(Data, ImagePromptsLoad) {
  const auto prompts = LoadImagePrompts(kData / "prompts/image.jsonl");
  ASSERT_TRUE(prompts.has_value()) << prompts.error().message;
  EXPECT_GE(prompts->size(), 20u);
  EXPECT_EQ(DistinctIds(*prompts), prompts->size());
}

TEST(Data, EveryScriptedSearchFindsAnUnreadArticle) {
  const auto corpus = Corpus::Load(kData / "corpus");
  ASSERT_TRUE(corpus.has_value()) << corpus.error().message;
  EXPECT_GE((*corpus)->Size().value(), 40);
  const auto questions = LoadResearchQuestions(kData / "prompts/research.jsonl");
  ASSERT_TRUE(questions.has_value()) << questions.error().message;
  EXPECT_GE(questions->size(), 8u);
  for (const ResearchQuestion& question : *questions) {
    std::set<std::string> read;
    for (const std::string& query : question.queries) {
      bool fresh = false;
      const auto hits = (*corpus)->Search(query, 4);
      ASSERT_TRUE(hits.has_value());
      for (const Hit& hit : *hits) {
        if (!fresh) fresh = read.insert(hit.id).second;
      }
      EXPECT_TRUE(fresh) << question.id << ": " << query;
    }
    EXPECT_GE(read.size(), 3u) << question.id;
  }
}

}  // namespace
}  // namespace cbench::app
