// The library of the research app: short articles in a folder of Markdown files, searched with
// SQLite's full-text index (FTS5, bm25 ranking, English word stems) held in memory. Nothing here
// depends on a model: search, snippets and reading are the agent's real tool time.
// Not thread-safe: one Corpus, one thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct sqlite3;

namespace cbench::app {

// Whether this SQLite was built with FTS5.
Result<> FullTextSearchAvailable();

// Any text as an FTS5 query that cannot be a syntax error: its words, each quoted, any of which may
// match. Operators, quotes and column filters lose their meaning. Empty if it has no word.
std::string ToFtsQuery(std::string_view text);

struct Hit {
  std::string id;       // file name without .md
  std::string title;    // first line of the file, without "# "
  std::string snippet;  // some 24 words around the best match
};

class Corpus {
 public:
  // Indexes every *.md in `folder`, each at most 64 KiB of UTF-8 that starts with a "# title" line.
  static Result<std::unique_ptr<Corpus>> Load(const std::filesystem::path& folder);

  // Best matches first; empty if nothing matches.
  Result<std::vector<Hit>> Search(std::string_view query, int limit) const;

  // The article's text without its title line; nothing under that id is an input error.
  Result<std::string> Read(std::string_view id) const;

  Result<int> Size() const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  using Database = std::unique_ptr<sqlite3, Close>;
  explicit Corpus(Database database) : database_(std::move(database)) {}
  Result<> Insert(const std::filesystem::path& path);

  Database database_;
};

}  // namespace cbench::app
