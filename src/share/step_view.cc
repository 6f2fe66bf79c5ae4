#include "share/step_view.h"

#include <array>

namespace cbench::share {

std::string_view Name(Reason why) {
  static constexpr std::array<std::string_view, 7> kNames = {"none",  "open",  "order", "credit",
                                                             "short", "slack", "forced"};
  return kNames[static_cast<std::size_t>(why)];
}

}  // namespace cbench::share
