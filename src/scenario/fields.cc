#include "scenario/fields.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "base/units.h"

namespace cbench::scenario {
namespace {

constexpr std::size_t kMaxName = 64;

tl::unexpected<Error> Wanted(std::string_view key, const Node& value, std::string_view what) {
  return ErrorAt(value.mark, "{} wants {}, not {}", key, what, Describe(value));
}

template <typename T>
bool ParseWhole(const std::string& text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

// "250mss": what is wrong is the unit, and it has a neighbour.
std::string DurationAdvice(const std::string& text) {
  const std::size_t unit = std::min(text.find_first_not_of("0123456789. "), text.size());
  if (unit == 0) return "write a number and a unit, like 250ms";
  if (unit == text.size()) return fmt::format("add a unit, like {}ms or {}s", text, text);
  return Suggest(text.substr(unit), std::vector<std::string_view>{"ns", "us", "ms", "s", "m", "h"});
}

Result<std::string> ReadText(std::string_view key, const Node& value) {
  if (value.kind != Node::Kind::kScalar || value.text.empty()) return Wanted(key, value, "text");
  if (HasNul(value.text)) return Wanted(key, value, "text without a NUL character");
  return value.text;
}

}  // namespace

std::vector<std::string_view> Keys(const Fields& fields) {
  std::vector<std::string_view> keys;
  for (const Field& field : fields) keys.push_back(field.key);
  return keys;
}

const Field* FindField(const Fields& fields, std::string_view key) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

Result<> WantMap(const Node& node, std::string_view what) {
  if (node.kind == Node::Kind::kMap) return {};
  if (IsLeftOut(node)) {
    return ErrorAt(node.mark, "{} is empty; give it 'key: value' lines, indented below it", what);
  }
  return ErrorAt(node.mark, "{} wants a map of 'key: value', not {}", what, Describe(node));
}

Result<> ReadMap(const Node& map, std::string_view what, const Fields& fields, Nulls nulls) {
  CBENCH_TRY(WantMap(map, what));
  for (const Entry& entry : map.entries) {
    const Field* field = FindField(fields, entry.key);
    if (!field) {
      return ErrorAt(entry.mark, "unknown key {} in {}; {}", Quote(entry.key), what,
                     Suggest(entry.key, Keys(fields)));
    }
    const bool left_out = IsLeftOut(entry.value);
    if (left_out && nulls == Nulls::kUnset) continue;
    if (left_out) {
      return ErrorAt(entry.mark, "{} has no value; write one or remove the key", entry.key);
    }
    CBENCH_TRY(field->read(entry.key, entry.value));
  }
  return {};
}

bool IsLeftOut(const Node& node) { return node.kind == Node::Kind::kNull && node.text.empty(); }

std::string Describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      return IsLeftOut(node) ? "nothing" : Quote(node.text);
    case Node::Kind::kScalar:
      return Quote(node.text);
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kMap:
      return "a map";
  }
  return "";
}

bool IsName(std::string_view text) {
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= kMaxName &&
         std::all_of(text.begin(), text.end(), allowed) &&
         std::isalnum(static_cast<unsigned char>(text.front()));
}

Read Text(std::string& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    CBENCH_ASSIGN(out, ReadText(key, value));
    return {};
  };
}

Read Identifier(std::string& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    CBENCH_ASSIGN(out, ReadText(key, value));
    if (IsName(out)) return {};
    return Wanted(key, value, "a name of letters, digits, '.', '_' and '-', up to 64");
  };
}

Read Bool(bool& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    for (const std::string_view word : {"true", "True", "yes", "on"}) {
      if (value.text == word) return out = true, Result<>{};
    }
    for (const std::string_view word : {"false", "False", "no", "off"}) {
      if (value.text == word) return out = false, Result<>{};
    }
    return Wanted(key, value, "true or false");
  };
}

Read Integer(int& out, int min, int max) {
  return [&out, min, max](std::string_view key, const Node& value) -> Result<> {
    if (ParseWhole(value.text, out) && out >= min && out <= max) return {};
    return Wanted(key, value, fmt::format("a whole number from {} to {}", min, max));
  };
}

Read Unsigned(std::uint64_t& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    if (ParseWhole(value.text, out)) return {};
    return Wanted(key, value, "a whole number from 0 to 18446744073709551615");
  };
}

Read Number(double& out, double min, double max) {
  return [&out, min, max](std::string_view key, const Node& value) -> Result<> {
    if (ParseWhole(value.text, out) && out >= min && out <= max) return {};
    return Wanted(key, value, fmt::format("a number from {} to {}", min, max));
  };
}

Read Duration(Nanos& out, Nanos min, Nanos max) {
  return [&out, min, max](std::string_view key, const Node& value) -> Result<> {
    if (value.kind != Node::Kind::kScalar) return Wanted(key, value, "a duration like 250ms");
    const auto duration = ParseDuration(value.text);
    if (!duration) {
      return ErrorAt(value.mark, "{}: {} is not a duration; {}", key, Quote(value.text),
                     DurationAdvice(value.text));
    }
    if (*duration < min || *duration > max) {
      return Wanted(key, value, fmt::format("{} to {}", FormatDuration(min), FormatDuration(max)));
    }
    out = *duration;
    return {};
  };
}

Read Texts(std::vector<std::string>& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    if (value.kind != Node::Kind::kList) return Wanted(key, value, "a list like [a, b]");
    out.clear();
    for (const Node& item : value.items) {
      if (item.kind != Node::Kind::kScalar) return Wanted(key, item, "a list of texts");
      if (HasNul(item.text)) return Wanted(key, item, "texts without a NUL character");
      out.push_back(item.text);
    }
    return {};
  };
}

Read Word(std::string& out, std::vector<std::string_view> words) {
  return [&out, words = std::move(words)](std::string_view key, const Node& value) -> Result<> {
    CBENCH_ASSIGN(out, ReadText(key, value));
    if (std::find(words.begin(), words.end(), out) != words.end()) return {};
    return ErrorAt(value.mark, "{}: {} is not known; {}", key, Quote(out), Suggest(out, words));
  };
}

Read Names(std::vector<std::string>& out, std::vector<Mark>* marks) {
  return [&out, marks](std::string_view key, const Node& value) -> Result<> {
    const bool one = value.kind != Node::Kind::kList;
    for (const Node& item : one ? std::vector<Node>{value} : value.items) {
      CBENCH_ASSIGN(std::string name, ReadText(key, item));
      out.push_back(std::move(name));
      if (marks) marks->push_back(item.mark);
    }
    return {};
  };
}

Read Ignore() {
  return [](std::string_view, const Node&) -> Result<> { return {}; };
}

}  // namespace cbench::scenario
