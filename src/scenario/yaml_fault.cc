#include "scenario/yaml_fault.h"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>

#include <array>

namespace cbench::scenario {
namespace {

struct Advice {
  std::string_view message, advice;
};

constexpr std::string_view kMisfit =
    "this does not go on with what stands before it; check the indentation, or put the whole text "
    "in quotes";

const std::array<Advice, 6> kAdvice = {{
    {YAML::ErrorMsg::END_OF_MAP, kMisfit},
    {YAML::ErrorMsg::END_OF_SEQ, kMisfit},
    {YAML::ErrorMsg::MAP_VALUE,
     "a ':' that cannot stand here; does the line before end in ':', or does the text need "
     "quotes?"},
    {YAML::ErrorMsg::UNKNOWN_TOKEN, "a value cannot start with this; put the text in quotes"},
    {YAML::ErrorMsg::FLOW_END, "a bracket that closes nothing; remove it"},
    {YAML::ErrorMsg::BLOCK_ENTRY,
     "a '-' that cannot stand here; start the list in a new line, or put the text in quotes"},
}};

}  // namespace

std::string YamlAdvice(std::string_view message) {
  for (const auto& [known, advice] : kAdvice) {
    if (message == known) return std::string(advice);
  }
  if (message.starts_with(YAML::ErrorMsg::INVALID_ESCAPE)) {
    return fmt::format("{}; write \\\\ for a backslash, or use single quotes", message);
  }
  return std::string(message);
}

bool IsUnclosed(std::string_view message) {
  return message == YAML::ErrorMsg::END_OF_MAP_FLOW || message == YAML::ErrorMsg::END_OF_SEQ_FLOW;
}

std::size_t EndOfQuoted(std::string_view text, std::size_t start) {
  const char quote = text[start];
  for (std::size_t i = start + 1; i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote) return i;
      ++i;  // '' in single quotes is one
    }
  }
  return std::string_view::npos;
}

}  // namespace cbench::scenario
