// A command in our place: it has our terminal, our process group and our standard streams, and we
// do nothing but wait for it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace cbench::cli {

struct ForegroundCommand {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH unless it has a slash
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
};

inline constexpr int kNotExecutable = 126, kNotFound = 127;  // as shells and env(1) have it

// Its exit code, or 128 + the number of the signal that ended it, or one of the above with a note.
// What others send us by kill(2) to end or tell it something is passed on; what the terminal sends
// reaches it by itself. Call it while there is one thread: it changes the signal mask.
int RunInForeground(const ForegroundCommand& command);

}  // namespace cbench::cli
