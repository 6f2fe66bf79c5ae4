#include "cli/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace cbench::cli {

bool UseColor(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return !(no_color && *no_color) && !(term && std::string_view(term) == "dumb") &&
         isatty(descriptor) == 1;
}

}  // namespace cbench::cli
