// Refuses what is not text, before a parser sees it.
#include "base/text.h"
#include "scenario/fields.h"
#include "scenario/yaml_tree.h"

namespace cbench::scenario {
namespace {

Mark MarkOf(std::string_view text, std::size_t position, const std::string& file) {
  const auto before = text.substr(0, position);
  Mark mark{file, 1, 1};
  for (const char c : before) {
    mark.line += c == '\n';
    mark.column = c == '\n' ? 1 : mark.column + 1;
  }
  return mark;
}

bool IsControl(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F;
}

Result<> CheckBytes(std::string_view text, const std::string& file) {
  for (std::size_t i = 0; i < text.size();) {
    if (IsControl(text[i])) {
      return ErrorAt(MarkOf(text, i, file), "control character 0x{:02X}; a scenario is plain text",
                     static_cast<unsigned>(text[i]));
    }
    const std::size_t length = Utf8SequenceLength(text.substr(i));
    if (length == 0) {
      return ErrorAt(MarkOf(text, i, file), "not UTF-8; save the file in that encoding");
    }
    i += length;
  }
  return {};
}

Result<> CheckTabs(std::string_view text, const std::string& file) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const auto line = text.substr(start, end - start);
    const std::size_t indent = std::min(line.find_first_not_of(" \t\r"), line.size());
    const std::size_t tab = line.substr(0, indent).find('\t');
    if (tab != std::string_view::npos && indent < line.size() && line[indent] != '#') {
      return ErrorAt(MarkOf(text, start + tab, file), "tab in the indentation; use spaces");
    }
    start = end + 1;
  }
  return {};
}

}  // namespace

Result<> CheckText(std::string_view text, const std::string& file) {
  if (text.size() > kMaxScenarioBytes) {
    return InputError("{}:1:1: {} bytes, over the limit of {} for a scenario; is it one?", file,
                      text.size(), kMaxScenarioBytes);
  }
  CBENCH_TRY(CheckBytes(text, file));
  return CheckTabs(text, file);
}

}  // namespace cbench::scenario
