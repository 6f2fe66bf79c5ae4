#include "app/corpus.h"

#include <gmock/gmock.h>

#include "app/testing.h"

namespace cbench::app {
namespace {

using testing::HasSubstr;

TEST(ToFtsQuery, QuotesWordsAndDropsTheRest) {
  EXPECT_EQ(ToFtsQuery("tide pools"), "\"tide\" OR \"pools\"");
  EXPECT_EQ(ToFtsQuery("title:x* NEAR(a b) \"open"),
            "\"title\" OR \"x\" OR \"NEAR\" OR \"a\" OR \"b\" OR \"open\"");
  EXPECT_EQ(ToFtsQuery("\" * ( ) - ^ :"), "");
}

class CorpusTest : public testing::Test {
 protected:
  void SetUp() override {
    folder.Write("bridges.md", "# Bridges\n\nAn arch bridge carries its load by compression.\n");
    folder.Write("rivers.md",
                 "# Rivers\n\nA river has many bridges. It carries sand to the sea.\n");
    folder.Write("notes.txt", "not an article");
    corpus = *Corpus::Load(folder.path());
  }
  std::vector<std::string> Find(const std::string& query) {
    std::vector<std::string> ids;
    const auto hits = corpus->Search(query, 5);
    EXPECT_TRUE(hits.has_value()) << query;
    for (const Hit& hit : hits.value_or(std::vector<Hit>())) ids.push_back(hit.id);
    return ids;
  }
  ScratchFolder folder;
  std::unique_ptr<Corpus> corpus;
};

TEST_F(CorpusTest, RanksTitlesHigherAndStemsWords) {
  EXPECT_EQ(corpus->Size().value(), 2);
  EXPECT_THAT(Find("bridge"), testing::ElementsAre("bridges", "rivers"));
  EXPECT_THAT(Find("sands of the seas"), testing::Contains("rivers"));
  EXPECT_THAT(Find("volcano"), testing::IsEmpty());
}

TEST_F(CorpusTest, NoQueryIsASyntaxError) {
  for (const char* query :
       {"", "\"", "AND", "a AND", "NOT x", "body:", "x*", "(", "NEAR(", "'; DROP TABLE article; --",
        "\xC3\xA9t\xC3\xA9", "-bridge", "^a + b"}) {
    Find(query);
  }
  EXPECT_EQ(corpus->Size().value(), 2);
}

TEST_F(CorpusTest, ReadsByIdOnly) {
  EXPECT_EQ(corpus->Read("rivers").value(),
            "A river has many bridges. It carries sand to the sea.\n");
  const auto missing = corpus->Read("../secret");
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr("no article has the id"));
}

TEST_F(CorpusTest, SnippetShowsTheMatch) {
  EXPECT_THAT(corpus->Search("compression", 1).value().at(0).snippet, HasSubstr("compression"));
}

std::string LoadError(const std::string& text) {
  const ScratchFolder folder;
  folder.Write("a.md", text);
  const auto corpus = Corpus::Load(folder.path());
  return corpus ? "" : corpus.error().message;
}

TEST(CorpusLoad, ErrorsNameTheFile) {
  EXPECT_THAT(LoadError("no title"), HasSubstr("a.md:1: an article starts"));
  EXPECT_THAT(LoadError("# Only a title\n\n"), HasSubstr("a.md: has a title but no text"));
  EXPECT_THAT(LoadError("# T\n\xFF"), HasSubstr("a.md: not UTF-8"));
  EXPECT_THAT(LoadError("# T\n" + std::string(70'000, 'x')), HasSubstr("over the limit"));
  const ScratchFolder empty;
  EXPECT_THAT(Corpus::Load(empty.path()).error().message, HasSubstr("no .md file"));
  EXPECT_THAT(Corpus::Load(empty.path() / "gone").error().message, HasSubstr("No such file"));
}

}  // namespace
}  // namespace cbench::app
