// What a program that does not ask by itself is started with, so that libcbench-gate.so asks for it
// (docs/shim.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "share/program.h"

namespace cbench::share {

// Added to our environment, what is in LD_PRELOAD already included. `gate`: its path. Fails when
// the library is not where this program is, nor in lib/ beside that folder.
Result<std::vector<std::pair<std::string, std::string>>> PreloadEnvironment(
    const Program& program, const std::string& gate);

}  // namespace cbench::share
