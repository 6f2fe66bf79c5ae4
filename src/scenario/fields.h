// Typed reading of a map's values. A map is described by a table of fields: a key and what to do
// with its value. Keys that are not in the table, values of the wrong type and numbers outside
// their limits become errors that say where, what was wanted and what stood there.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "scenario/scenario.h"
#include "scenario/suggest.h"
#include "scenario/yaml_tree.h"

namespace cbench::scenario {

template <typename... Args>
tl::unexpected<Error> ErrorAt(const Mark& mark, fmt::format_string<Args...> format,
                              Args&&... args) {
  return InputError("{}: {}", mark.ToString(), fmt::format(format, std::forward<Args>(args)...));
}

// Reads one value; `key` names it in errors.
using Read = std::function<Result<>(std::string_view key, const Node& value)>;

struct Field {
  std::string_view key;
  Read read;
};
using Fields = std::vector<Field>;

std::vector<std::string_view> Keys(const Fields& fields);
const Field* FindField(const Fields& fields, std::string_view key);

// Reads every entry of `map` by its field, in file order. `what` names the map in errors
// ("app 'cover'"). nulls: kUnset takes a value left out as "not stated", as the original does.
enum class Nulls { kRefused, kUnset };
Result<> ReadMap(const Node& map, std::string_view what, const Fields& fields,
                 Nulls nulls = Nulls::kRefused);

Result<> WantMap(const Node& node, std::string_view what);

bool IsLeftOut(const Node& node);  // a value of which nothing is written, not even "null"

// "a list", "a map", "nothing" or the quoted text.
std::string Describe(const Node& node);

// The readers. All limits are inclusive.
Read Text(std::string& out);
Read Identifier(std::string& out);  // letters, digits, . _ -; safe as a file name
Read Bool(bool& out);
Read Integer(int& out, int min, int max);
Read Unsigned(std::uint64_t& out);
Read Number(double& out, double min, double max);
Read Duration(Nanos& out, Nanos min, Nanos max);
Read Texts(std::vector<std::string>& out);                            // a list
Read Word(std::string& out, std::vector<std::string_view> words);     // one of these
Read Names(std::vector<std::string>& out, std::vector<Mark>* marks);  // one name or a list
Read Ignore();

bool IsName(std::string_view text);

}  // namespace cbench::scenario
