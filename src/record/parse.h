// The reader's parts, on text instead of a directory: for the reader itself, tests and fuzzing.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <string_view>

#include "record/reader.h"

namespace cbench::record {

// A stream of a million tokens fits into one line; more is a broken or hostile file.
constexpr std::size_t kMaxLine = std::size_t{32} << 20;

bool IsKnownEvent(std::string_view name);

// run.json. Errors name `what`.
Json ToJson(const Header& header);
Result<Header> ParseHeader(std::string_view text, std::string_view what);

// Calls `visit` for the JSON object of every line, with the line's number. A last line without
// its newline that is not complete is the mark of a killed writer: `torn` is set, no error.
Result<> ForEachLine(std::istream& in, std::string_view what, bool& torn,
                     const std::function<Result<>(const Json&)>& visit);

// events.jsonl into record.events, torn and skipped; uses record.header.minor.
Result<> ParseEvents(std::istream& in, std::string_view what, Record& record);

}  // namespace cbench::record
