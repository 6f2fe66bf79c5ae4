// Load: read the file, parse it, see which dialect it is, read that dialect, resolve.
#include <algorithm>
#include <cctype>

#include "base/file.h"
#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

bool IsListForm(const Node& root) {
  if (root.entries.size() != 1) return false;
  const Node& only = root.entries.front().value;
  return only.kind == Node::Kind::kMap && only.Find("tasks");
}

// None of the three: say what is nearest.
tl::unexpected<Error> UnknownDialect(const Node& root) {
  for (const std::string_view key : {"workflow", "engines", "apps"}) {
    if (const Entry* entry = root.Find(key)) {
      return ErrorAt(entry->mark, "{} without a format version; put 'consumerbench: 1' at the top",
                     key);
    }
  }
  for (const Entry& entry : root.entries) {
    for (const std::string_view key : {"consumerbench", "workflows"}) {
      if (EditDistance(entry.key, key) > 2) continue;
      return ErrorAt(entry.mark, "unknown key {}; did you mean '{}'?", Quote(entry.key), key);
    }
  }
  return ErrorAt(root.mark,
                 "not a scenario: there is neither 'consumerbench: 1' nor a workflows: section nor "
                 "one workflow with a list of tasks; see docs/scenario.md");
}

Result<> ReadDialect(const Node& root, Draft& draft) {
  if (root.kind != Node::Kind::kMap) {
    return ErrorAt(root.mark, "a scenario is a map of 'key: value', not {}", Describe(root));
  }
  if (root.Find("consumerbench")) return ReadNative(root, draft);
  if (root.Find("workflows")) return ReadOriginal(root, draft);
  if (IsListForm(root)) return ReadList(root, draft);
  return UnknownDialect(root);
}

}  // namespace

std::string WithoutStrangeLetters(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  std::string name;
  for (const char c : text.substr(0, kLongest)) {
    const bool kept =
        std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
    const bool first = name.empty() && !std::isalnum(static_cast<unsigned char>(c));
    if (!first) name += kept ? c : '-';
  }
  return name.empty() ? "scenario" : name;
}

Result<Scenario> Parse(const std::string& text, const std::filesystem::path& path,
                       const LoadOptions& options) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool marked = std::string_view(text).starts_with(kByteOrderMark);
  CBENCH_ASSIGN(const Node root,
                ParseTree(marked ? text.substr(kByteOrderMark.size()) : text, path.string()));
  Draft draft;
  draft.scenario.path = path;
  draft.scenario.name = WithoutStrangeLetters(path.stem().string());
  CBENCH_TRY(ReadDialect(root, draft));
  return Resolve(std::move(draft), options);
}

Result<Scenario> Load(const std::filesystem::path& path, const LoadOptions& options) {
  CBENCH_ASSIGN(const std::string text, ReadFile(path, kMaxScenarioBytes));
  return Parse(text, path, options);
}

}  // namespace cbench::scenario
