// Puts report.html together. What the record says reaches it only as JSON in which no character
// can end its element, and the page's script only shows it as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace cbench::report {

// JSON for a <script type="application/json"> element: ASCII, without <, > and &.
std::string EmbeddedJson(const Json& json);

// Up to where </head> closes it. `title` is our own text.
std::string PageHead(std::string_view title, const std::vector<std::string_view>& styles);

std::string PageHtml(const Json& data);

}  // namespace cbench::report
