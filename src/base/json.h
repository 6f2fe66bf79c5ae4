// JSON. Objects keep the order in which we write their keys: output is a contract and people
// read it. Parse with ParseJson, never with the throwing interface.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/result.h"

namespace cbench {

using Json = nlohmann::ordered_json;

// `what` names the text in the error ("events.jsonl:12"). Depth and size are the caller's limit.
inline Result<Json> ParseJson(std::string_view text, std::string_view what) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return InputError("{}: not valid JSON", what);
  return json;
}

// Text for a file, a terminal or the wire; bytes that are not UTF-8 become U+FFFD, never a throw.
inline std::string DumpJson(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cbench
