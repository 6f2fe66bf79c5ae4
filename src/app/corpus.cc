#include "app/corpus.h"

#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include "app/dataset.h"

namespace cbench::app {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxArticle = 64u << 10;
constexpr int kMaxQueryWords = 24;
constexpr char kCreate[] =
    "CREATE VIRTUAL TABLE article USING fts5(id UNINDEXED, title, body, "
    "tokenize = 'porter unicode61')";
constexpr char kInsert[] = "INSERT INTO article VALUES (?1, ?2, ?3)";
// A word in the title counts five times one in the body.
constexpr char kSearch[] =
    "SELECT id, title, snippet(article, 2, '', '', '…', 24) FROM article "
    "WHERE article MATCH ?1 ORDER BY bm25(article, 0.0, 5.0, 1.0), id LIMIT ?2";
constexpr char kRead[] = "SELECT body FROM article WHERE id = ?1";
constexpr char kCount[] = "SELECT count(*) FROM article";

// A prepared statement with its texts bound; owned strings outlive the steps.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql) : database_(database) {
    sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void Bind(int place, std::string_view text) {
    sqlite3_bind_text64(statement_, place, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  void Bind(int place, int number) { sqlite3_bind_int(statement_, place, number); }

  // True: a row can be read; false: there are no more.
  Result<bool> Step() {
    const int code = statement_ ? sqlite3_step(statement_) : sqlite3_errcode(database_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return Failure("full-text index: {}", sqlite3_errmsg(database_));
  }
  std::string Text(int column) const {
    const auto* text = sqlite3_column_text(statement_, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return text ? std::string(reinterpret_cast<const char*>(text), size) : std::string();
  }
  int Number(int column) const { return sqlite3_column_int(statement_, column); }

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

bool IsWordByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0;
}

Result<std::vector<fs::path>> ListArticles(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> paths;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".md") paths.push_back(it->path());
  }
  if (error) return InputError("{}: {}", folder.string(), error.message());
  if (paths.empty()) return InputError("{}: holds no .md file to search", folder.string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

struct Article {
  std::string_view title, body;
};

Result<Article> ParseArticle(std::string_view text, const std::string& name) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  if (end < 3 || text[0] != '#' || text[1] != ' ') {
    return InputError("{}:1: an article starts with a line \"# title\"", name);
  }
  const std::size_t body = text.find_first_not_of("\r\n", end);
  if (body == std::string_view::npos) return InputError("{}: has a title but no text", name);
  return Article{text.substr(2, end - 2), text.substr(body)};
}

}  // namespace

Result<> FullTextSearchAvailable() {
  if (sqlite3_compileoption_used("ENABLE_FTS5")) return {};
  return Failure("SQLite {} was built without FTS5", sqlite3_libversion());
}

std::string ToFtsQuery(std::string_view text) {
  std::string query;
  int words = 0;
  for (std::size_t i = 0; i < text.size() && words < kMaxQueryWords;) {
    std::size_t end = i;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    if (end > i) {
      query += fmt::format("{}\"{}\"", words++ == 0 ? "" : " OR ", text.substr(i, end - i));
    }
    i = std::max(end, i + 1);
  }
  return query;
}

void Corpus::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Result<std::unique_ptr<Corpus>> Corpus::Load(const fs::path& folder) {
  CBENCH_ASSIGN(const auto paths, ListArticles(folder));
  sqlite3* opened = nullptr;
  const int code = sqlite3_open(":memory:", &opened);
  Database database(opened);
  if (code != SQLITE_OK) return Failure("full-text index: {}", sqlite3_errstr(code));
  CBENCH_TRY(Statement(opened, kCreate).Step());
  std::unique_ptr<Corpus> corpus(new Corpus(std::move(database)));
  for (const fs::path& path : paths) CBENCH_TRY(corpus->Insert(path));
  return corpus;
}

Result<> Corpus::Insert(const fs::path& path) {
  CBENCH_ASSIGN(const std::string text, ReadText(path, kMaxArticle));
  CBENCH_ASSIGN(const Article article, ParseArticle(text, path.string()));
  Statement insert(database_.get(), kInsert);
  insert.Bind(1, path.stem().string());
  insert.Bind(2, article.title);
  insert.Bind(3, article.body);
  CBENCH_TRY(insert.Step());
  return {};
}

Result<std::vector<Hit>> Corpus::Search(std::string_view query, int limit) const {
  std::vector<Hit> hits;
  const std::string match = ToFtsQuery(query);
  if (match.empty()) return hits;
  Statement search(database_.get(), kSearch);
  search.Bind(1, match);
  search.Bind(2, limit);
  for (;;) {
    CBENCH_ASSIGN(const bool row, search.Step());
    if (!row) return hits;
    hits.push_back({search.Text(0), search.Text(1), search.Text(2)});
  }
}

Result<std::string> Corpus::Read(std::string_view id) const {
  Statement read(database_.get(), kRead);
  read.Bind(1, id);
  CBENCH_ASSIGN(const bool row, read.Step());
  if (!row) return InputError("no article has the id \"{}\"", id);
  return read.Text(0);
}

Result<int> Corpus::Size() const {
  Statement count(database_.get(), kCount);
  CBENCH_TRY(count.Step());
  return count.Number(0);
}

}  // namespace cbench::app
