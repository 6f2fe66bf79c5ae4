// YAML text to a plain tree in which every node knows where it stood.
//
// A scenario comes from anywhere, so the text is distrusted before and while yaml-cpp parses it:
// size, encoding and tabs are checked first; depth, number of nodes, duplicate keys, aliases and
// tags are checked on the parser's events, before anything is built from them. yaml-cpp itself
// would merge duplicate keys without a word and follow nesting as deep as its stack allows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scenario/scenario.h"

namespace cbench::scenario {

constexpr std::size_t kMaxScenarioBytes = 256u << 10;
constexpr std::size_t kMaxDepth = 16;
constexpr std::size_t kMaxNodes = 10'000;

struct Entry;

struct Node {
  enum class Kind { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  std::string text;  // of a scalar; of a null that was written out, as it was written
  Mark mark;
  std::vector<Node> items;     // of a list
  std::vector<Entry> entries;  // of a map, in file order; keys differ

  const Entry* Find(std::string_view key) const;
};

struct Entry {
  std::string key;
  Mark mark;  // of the key
  Node value;
};

// `file` names the text in marks and errors.
Result<Node> ParseTree(const std::string& text, const std::string& file);

// Is it text that a YAML parser should see at all? (text_check.cc)
Result<> CheckText(std::string_view text, const std::string& file);

}  // namespace cbench::scenario
