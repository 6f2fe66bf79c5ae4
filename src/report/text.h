// Text for people: numbers with units, and foreign text made harmless. Names, model output and
// server messages come from files and networks; a terminal obeys escape sequences, and text
// direction marks can make a line read as something else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cbench::report {

// Valid UTF-8 on one line: line breaks and tabs become spaces, other controls, direction marks,
// invisible characters and broken bytes become U+FFFD.
std::string Clean(std::string_view text);

// Columns on a terminal; `text` is clean. East Asian wide characters take two.
int Width(std::string_view text);
// Cut to `width` columns, with "…" if something is lost.
std::string Cut(std::string_view text, int width);
// The same, filled up with spaces.
std::string Fit(std::string_view text, int width);
std::string FitRight(std::string_view text, int width);  // filled up on the left
// Lines of at most `width` columns, broken at spaces, within words only where they are too long.
std::vector<std::string> Wrap(std::string_view text, int width);

// "—" where there is no value. At most 8 columns.
std::string Seconds(std::optional<double> seconds);  // "210 ms", "1.25 s", "2.31 h"
std::string Percent(std::optional<double> share);    // 0.9 -> "90 %"
std::string Ratio(std::optional<double> value);      // "0.97"

}  // namespace cbench::report
