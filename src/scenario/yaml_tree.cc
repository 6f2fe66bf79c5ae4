#include "scenario/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "scenario/fields.h"
#include "scenario/suggest.h"
#include "scenario/yaml_fault.h"

namespace cbench::scenario {
namespace {

// Leaves yaml-cpp's parser from inside one of its events; caught in Build.
struct Refused {
  Error error;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  Node TakeRoot() { return std::move(root_); }

  // What yaml-cpp noticed, where its cause is likelier to be than where it was noticed.
  Error Fault(const YAML::Exception& e) const {
    if (long_quote_) {
      return ErrorAt(*long_quote_,
                     "not valid YAML after the quoted text that starts here and goes on in the "
                     "next line; close the quote where the text ends")
          .value();
    }
    if (const Unfinished* open = IsUnclosed(e.msg) ? InnermostBracket() : nullptr) {
      return ErrorAt(open->node.mark, "a '{}' that is not closed; add '{}' where it ends",
                     open->bracket, open->bracket == '{' ? '}' : ']')
          .value();
    }
    const Mark mark{file_, std::max(e.mark.line, 0) + 1, std::max(e.mark.column, 0) + 1};
    return ErrorAt(mark, "not valid YAML: {}", YamlAdvice(e.msg)).value();
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) Refuse(mark, "a second document; a scenario is one, without '---' in it");
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    Refuse(mark,
           fmt::format("anchor {}; anchors are not supported, repeat the value", Quote(name)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    Refuse(mark, "an alias; aliases are not supported, repeat the value");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    const bool written = IsWrittenNull(mark);
    Attach(
        Node{Node::Kind::kNull, written ? "null" : "", written ? At(mark) : AtGap(mark), {}, {}});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    CheckTag(mark, tag);
    CheckQuotes(mark);
    Attach(Node{Node::Kind::kScalar, value, At(mark), {}, {}});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    Open(mark, tag, Node::Kind::kList);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    Open(mark, tag, Node::Kind::kMap);
  }
  void OnMapEnd() override { Close(); }

 private:
  // A list or map whose end has not come yet.
  struct Unfinished {
    Node node;
    bool has_key = false;  // of a map: `key` waits for its value
    std::string key;
    Mark key_mark;
    char bracket = 0;  // that opened it, if one did
  };

  Mark At(const YAML::Mark& mark) const { return Mark{file_, mark.line + 1, mark.column + 1}; }

  [[noreturn]] static void Refuse(const Mark& mark, std::string_view what) {
    throw Refused{ErrorAt(mark, "{}", what).value()};
  }
  [[noreturn]] void Refuse(const YAML::Mark& mark, std::string_view what) const {
    Refuse(At(mark), what);
  }

  void CheckTag(const YAML::Mark& mark, const std::string& tag) const {
    const bool plain = tag.empty() || tag == "?" || tag == "!";
    if (!plain) Refuse(mark, fmt::format("tag {}; tags are not supported", Quote(tag)));
  }

  // yaml-cpp takes the end of the file for a closing quote.
  void CheckQuotes(const YAML::Mark& mark) {
    const char quote = Written(mark);
    if (quote != '"' && quote != '\'') return;
    const std::size_t start = Position(mark);
    const std::size_t end = EndOfQuoted(text_, start);
    if (end == std::string::npos) {
      Refuse(mark,
             fmt::format("a quote ({}) that is not closed; add one where the text ends", quote));
    }
    if (text_.find('\n', start) < end) long_quote_ = At(mark);
  }

  std::size_t Position(const YAML::Mark& mark) const {
    return std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size());
  }

  char Written(const YAML::Mark& mark) const {  // the character there; NUL at the end of the text
    return Position(mark) < text_.size() ? text_[Position(mark)] : '\0';
  }

  bool WaitsForValue() const { return !open_.empty() && open_.back().has_key; }

  // yaml-cpp tells an app type `null` from a value left out no more than by its place; we look.
  bool IsWrittenNull(const YAML::Mark& mark) const {
    const bool same_line = !WaitsForValue() || open_.back().key_mark.line == mark.line + 1;
    return same_line && text_.compare(Position(mark), 4, "null") == 0;
  }

  // A value left out has the place of whatever comes next; people look for its key or dash.
  Mark AtGap(const YAML::Mark& mark) const {
    if (WaitsForValue()) return open_.back().key_mark;
    const std::size_t end = text_.find_last_not_of(" \t\r\n", Position(mark) - 1);
    if (Position(mark) == 0 || end == std::string::npos || text_[end] != '-') return At(mark);
    const auto lines = std::count(text_.begin() + static_cast<std::ptrdiff_t>(end),
                                  text_.begin() + mark.pos, '\n');
    const std::size_t line_start = text_.rfind('\n', end) + 1;  // npos + 1 is 0
    return Mark{file_, mark.line + 1 - static_cast<int>(lines),
                static_cast<int>(end - line_start) + 1};
  }

  const Unfinished* InnermostBracket() const {
    const auto found = std::find_if(open_.rbegin(), open_.rend(),
                                    [](const Unfinished& u) { return u.bracket != 0; });
    return found == open_.rend() ? nullptr : &*found;
  }

  void Open(const YAML::Mark& mark, const std::string& tag, Node::Kind kind) {
    CheckTag(mark, tag);
    if (open_.size() >= kMaxDepth) {
      Refuse(mark, fmt::format("nested deeper than {} levels, which no key needs", kMaxDepth));
    }
    const char first = Written(mark);
    const char bracket = first == '{' || first == '[' ? first : '\0';
    open_.push_back({Node{kind, "", At(mark), {}, {}}, false, "", {}, bracket});
  }

  void Close() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    Attach(std::move(node));
  }

  void Attach(Node node) {
    if (++nodes_ > kMaxNodes)
      Refuse(node.mark,
             fmt::format("more than {} values; a scenario this large is better split", kMaxNodes));
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.kind == Node::Kind::kList) {
      open_.back().node.items.push_back(std::move(node));
    } else if (open_.back().has_key) {
      Unfinished& map = open_.back();
      map.node.entries.push_back({std::move(map.key), map.key_mark, std::move(node)});
      map.has_key = false;
    } else {
      AttachKey(open_.back(), node);
    }
  }

  static void AttachKey(Unfinished& map, const Node& key) {
    if (key.text.empty()) Refuse(key.mark, "a key must be a name; put one before the ':'");
    if (key.text == "<<") Refuse(key.mark, "merge keys are not supported; repeat the values");
    if (const Entry* first = map.node.Find(key.text)) {
      Refuse(key.mark, fmt::format("key {} stands here and in line {}; keep one", Quote(key.text),
                                   first->mark.line));
    }
    map.has_key = true;
    map.key = key.text;
    map.key_mark = key.mark;
  }

  const std::string& text_;
  const std::string& file_;
  Node root_;
  std::optional<Mark> long_quote_;  // the last quoted text of several lines
  std::vector<Unfinished> open_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

Result<Node> Build(const std::string& text, const std::string& file) {
  std::istringstream in(text);
  TreeBuilder builder(text, file);
  try {
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
    return builder.TakeRoot();
  } catch (const Refused& refused) {
    return tl::unexpected(refused.error);
  } catch (const YAML::Exception& e) {
    return tl::unexpected(builder.Fault(e));
  }
}

}  // namespace

const Entry* Node::Find(std::string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Result<Node> ParseTree(const std::string& text, const std::string& file) {
  CBENCH_TRY(CheckText(text, file));
  CBENCH_ASSIGN(Node root, Build(text, file));
  if (root.kind == Node::Kind::kNull) {
    return InputError("{}:1:1: empty; start with 'consumerbench: 1', see docs/scenario.md", file);
  }
  return root;
}

}  // namespace cbench::scenario
