#include "app/dataset.h"

#include <cstdint>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/text.h"

namespace cbench::app {
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMaxNumber = 1'000'000;

Result<JsonLine> ParseLine(std::string_view text, std::string where) {
  CBENCH_ASSIGN(Json object, ParseJson(text, where));
  if (!object.is_object()) return InputError("{}: not a JSON object", where);
  return JsonLine{std::move(where), std::move(object)};
}

bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

Result<fs::path> FindFile(const Context& context, std::string_view option, const std::string& given,
                          std::string_view standard) {
  std::error_code error;
  if (given.empty()) {
    fs::path path = context.home / standard;
    if (fs::exists(path, error)) return path;
    return InputError("{}: no such file, though it belongs to cbench; set CBENCH_HOME or {}:",
                      path.string(), option);
  }
  // An absolute path replaces the folder before it.
  for (const fs::path& folder : {context.directory, context.home}) {
    if (fs::exists(folder / given, error)) return folder / given;
  }
  return InputError("{}: {}: no such file: {} (looked in {} and {})", context.app.mark.ToString(),
                    option, given, context.directory.string(), context.home.string());
}

Result<std::string> ReadText(const fs::path& path, std::size_t limit) {
  CBENCH_ASSIGN(std::string text, ReadFile(path, limit));
  if (!IsUtf8(text) || HasNul(text)) {
    return InputError("{}: not UTF-8 text, or with NUL characters in it", path.string());
  }
  return text;
}

Result<std::vector<JsonLine>> ReadJsonLines(const fs::path& path) {
  CBENCH_ASSIGN(const std::string text, ReadFile(path));
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  std::vector<JsonLine> lines;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (IsBlank(line)) continue;
    std::string where = fmt::format("{}:{}", path.string(), number);
    if (!IsUtf8(line)) return InputError("{}: not UTF-8 text", where);
    if (HasNul(line)) return InputError("{}: a NUL character; is this a text file?", where);
    CBENCH_ASSIGN(JsonLine parsed, ParseLine(line, std::move(where)));
    lines.push_back(std::move(parsed));
  }
  if (lines.empty()) return InputError("{}: holds no line of JSON", path.string());
  return lines;
}

Result<std::string> RequiredText(const JsonLine& line, const char* key) {
  if (!line.object.contains(key)) return InputError("{}: \"{}\" is missing", line.where, key);
  const std::string_view text = StringAt(line.object, key);
  if (text.empty() || HasNul(text)) {
    return InputError("{}: \"{}\" must be a text that is not empty and has no NUL character",
                      line.where, key);
  }
  return std::string(text);
}

Result<std::vector<std::string>> TextList(const JsonLine& line, const char* key) {
  std::vector<std::string> texts;
  const auto found = line.object.find(key);
  if (found == line.object.end()) return texts;
  if (!found->is_array()) return InputError("{}: \"{}\" must be a list of texts", line.where, key);
  for (const Json& text : *found) {
    const auto* string = text.get_ptr<const std::string*>();
    if (!string || string->empty() || HasNul(*string)) {
      return InputError("{}: \"{}\" must hold texts that are not empty and have no NUL character",
                        line.where, key);
    }
    texts.push_back(*string);
  }
  return texts;
}

Result<int> PositiveNumber(const JsonLine& line, const char* key) {
  const auto found = line.object.find(key);
  if (found == line.object.end()) return 0;
  const std::int64_t number = found->is_number_integer() ? found->get<std::int64_t>() : 0;
  if (number < 1 || number > kMaxNumber) {
    return InputError("{}: \"{}\" must be a whole number from 1 to {}", line.where, key,
                      kMaxNumber);
  }
  return static_cast<int>(number);
}

}  // namespace cbench::app
