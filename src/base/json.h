// JSON. Objects keep the order in which we write their keys: output is a contract and people
// read it. Parse with ParseJson, never with the throwing interface.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace cbench {

using Json = nlohmann::ordered_json;

// The text may come from anybody: what copies or prints JSON recurses, so depth is bounded, and
// objects are searched from end to end for each key they get, so their number of members is too.
// Size is the caller's limit. `what` names the text in the error ("events.jsonl:12").
constexpr int kMaxJsonDepth = 64;
constexpr int kMaxJsonMembers = 4096;  // a scenario of the most tasks that its loader takes fits
Result<Json> ParseJson(std::string_view text, std::string_view what);

// Text for a file, a terminal or the wire; bytes that are not UTF-8 become U+FFFD, never a throw.
inline std::string DumpJson(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// Reading what others wrote: a member that is missing, null or of another type is simply not there.
inline const Json* FindMember(const Json& json, std::string_view key) {
  const auto* object = json.get_ptr<const Json::object_t*>();
  if (!object) return nullptr;
  for (const auto& [name, value] : *object) {
    if (name == key) return value.is_null() ? nullptr : &value;
  }
  return nullptr;
}
inline std::string_view StringAt(const Json& json, std::string_view key) {
  const Json* member = FindMember(json, key);
  const auto* text = member ? member->get_ptr<const Json::string_t*>() : nullptr;
  return text ? std::string_view(*text) : std::string_view();
}
// A whole number from 0 to the largest int.
inline std::optional<int> CountAt(const Json& json, std::string_view key) {
  const Json* member = FindMember(json, key);
  const auto* number = member ? member->get_ptr<const Json::number_unsigned_t*>() : nullptr;
  if (!number || *number > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace cbench
