// "Did you mean": turns a word that is not known into advice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cbench::scenario {

// Edits (insert, delete, replace, swap neighbours) that turn one word into the other; upper and
// lower case are equal.
std::size_t EditDistance(std::string_view a, std::string_view b);

// "did you mean 'x'?" when a known word is near, else "known: a, b, c" (the first few), else "".
std::string Suggest(std::string_view word, const std::vector<std::string_view>& known);
std::string Suggest(std::string_view word, const std::vector<std::string>& known);

// The word in quotes, for a message: shortened, control characters replaced.
std::string Quote(std::string_view word);

}  // namespace cbench::scenario
