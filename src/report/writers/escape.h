// Foreign text in Markdown. On a forge, "@name" calls people and "#1" links issues.
#pragma once

#include <string>
#include <string_view>

namespace cbench::report {

// Clean, and shown as it is: no markup, table cell, mention, link or formula of its own.
std::string Escape(std::string_view text);

}  // namespace cbench::report
