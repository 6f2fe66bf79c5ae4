#include "scenario/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "scenario/fields.h"
#include "scenario/suggest.h"

namespace cbench::scenario {
namespace {

// Leaves yaml-cpp's parser from inside one of its events; caught in ParseTree.
struct Refused {
  Error error;
};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  Node TakeRoot() { return std::move(root_); }

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
    Attach(Node{Node::Kind::kNull, WrittenNull(mark), At(mark), {}, {}});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    CheckTag(mark, tag);
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

  // yaml-cpp tells an app type `null` from a value left out no more than by its place; we look.
  std::string WrittenNull(const YAML::Mark& mark) const {
    const auto position = static_cast<std::size_t>(std::max(mark.pos, 0));
    const bool same_line =
        open_.empty() || !open_.back().has_key || open_.back().key_mark.line == mark.line + 1;
    return same_line && text_.compare(std::min(position, text_.size()), 4, "null") == 0 ? "null"
                                                                                        : "";
  }

  void Open(const YAML::Mark& mark, const std::string& tag, Node::Kind kind) {
    CheckTag(mark, tag);
    if (open_.size() >= kMaxDepth) {
      Refuse(mark, fmt::format("nested deeper than {} levels", kMaxDepth));
    }
    open_.push_back({Node{kind, "", At(mark), {}, {}}, false, "", {}});
  }

  void Close() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    Attach(std::move(node));
  }

  void Attach(Node node) {
    if (++nodes_ > kMaxNodes) Refuse(node.mark, fmt::format("more than {} values", kMaxNodes));
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
    if (key.text.empty()) Refuse(key.mark, "a key must be a name");
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
  std::vector<Unfinished> open_;
  std::size_t nodes_ = 0;
  int documents_ = 0;
};

Result<Node> Build(const std::string& text, const std::string& file) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  TreeBuilder builder(text, file);
  if (!parser.HandleNextDocument(builder)) return Node{};
  while (parser.HandleNextDocument(builder)) {
  }
  return builder.TakeRoot();
}

}  // namespace

const Entry* Node::Find(std::string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

Result<Node> ParseTree(const std::string& text, const std::string& file) {
  CBENCH_TRY(CheckText(text, file));
  try {
    CBENCH_ASSIGN(Node root, Build(text, file));
    if (root.kind == Node::Kind::kNull) {
      return InputError("{}:1:1: empty; start with 'consumerbench: 1', see docs/scenario.md", file);
    }
    return root;
  } catch (const Refused& refused) {
    return tl::unexpected(refused.error);
  } catch (const YAML::Exception& e) {
    const Mark mark{file, std::max(e.mark.line, 0) + 1, std::max(e.mark.column, 0) + 1};
    return ErrorAt(mark, "not valid YAML: {}", e.msg);
  }
}

}  // namespace cbench::scenario
