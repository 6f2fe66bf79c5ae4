// Text columns, aligned.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cbench::cli {

using Row = std::vector<std::string>;

// Each row on a line of its own after `indent`, cells padded to their column's widest. Width is
// counted in code points.
std::string AlignColumns(const std::vector<Row>& rows, std::string_view indent = "  ");

}  // namespace cbench::cli
