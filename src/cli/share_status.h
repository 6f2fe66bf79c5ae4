// cbench share status.
#pragma once

#include "cli/command.h"

namespace cbench::cli {

void AddShareStatus(CLI::App& share, Action& action);

}  // namespace cbench::cli
