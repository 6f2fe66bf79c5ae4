// Where text stopped being YAML, and what to do about it.
#pragma once

#include <string>
#include <string_view>

namespace cbench::scenario {

// What yaml-cpp says of a fault, as advice.
std::string YamlAdvice(std::string_view message);

// Is a bracket missing that closes a flow map or list?
bool IsUnclosed(std::string_view message);

// Where the text in quotes ends whose first quote is at `start`; npos if it does not.
std::size_t EndOfQuoted(std::string_view text, std::size_t start);

}  // namespace cbench::scenario
