// Refuses what is not text, before a parser sees it.
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

// Bytes of the well-formed UTF-8 sequence at the front, 0 if there is none (RFC 3629).
std::size_t SequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool outside = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
  return overlong || outside ? 0 : length;
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
    const std::size_t length = SequenceLength(text.substr(i));
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
