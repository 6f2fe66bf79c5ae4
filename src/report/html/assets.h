// The page's style and script, which the build turns into source (embed.cmake). Each is the text
// of one or more files in the order of CMakeLists.txt.
#pragma once

#include <string_view>
#include <vector>

namespace cbench::report {

std::vector<std::string_view> PageStyles();
std::vector<std::string_view> CompareStyles();  // of the page of cbench compare
std::vector<std::string_view> PlotScripts();    // uPlot
std::vector<std::string_view> PageScripts();

}  // namespace cbench::report
