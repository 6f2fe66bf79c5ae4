// Text that came from elsewhere, made safe to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cbench {

// For a terminal: control characters (escape sequences start with one) and those that turn the
// direction of text (a name could disguise itself) become spaces, bytes that are not UTF-8 U+FFFD.
// Newlines become spaces too: the caller decides where lines end.
std::string Printable(std::string_view text);

// The same, but newlines stay.
std::string PrintableLines(std::string_view text);

// Length of the valid UTF-8 sequence at the start of `text`; 0 if there is none.
std::size_t Utf8SequenceLength(std::string_view text);

bool IsUtf8(std::string_view text);

// Whether a NUL character is in it: what takes C strings would end there.
bool HasNul(std::string_view text);

}  // namespace cbench
