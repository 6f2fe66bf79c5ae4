// Facts about this program that records carry.
#pragma once

#include <string>
#include <vector>

namespace cbench::cli {

std::string Version();                   // "0.1.0"
std::vector<std::string> CommandLine();  // argv of this process

}  // namespace cbench::cli
