// Data files of apps: where they lie, and how JSONL is read: one JSON object a line, UTF-8, blank
// lines allowed. Every error starts with file or file:line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"

namespace cbench::app {

// `given` (as the scenario's option `option` says) is looked up in the scenario's folder, then in
// the project's; an empty one means `standard` in the project's folder.
Result<std::filesystem::path> FindFile(const Context& context, std::string_view option,
                                       const std::string& given, std::string_view standard);

// A UTF-8 text file of at most `limit` bytes.
Result<std::string> ReadText(const std::filesystem::path& path, std::size_t limit);

struct JsonLine {
  std::string where;  // "file:line"
  Json object;
};
Result<std::vector<JsonLine>> ReadJsonLines(const std::filesystem::path& path);

// Fields of a line. The first must be there and not empty; a missing one of the others is empty
// or 0.
Result<std::string> RequiredText(const JsonLine& line, const char* key);
Result<std::vector<std::string>> TextList(const JsonLine& line, const char* key);
Result<int> PositiveNumber(const JsonLine& line, const char* key);

}  // namespace cbench::app
