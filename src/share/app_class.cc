#include "share/app_class.h"

#include <algorithm>
#include <array>

namespace cbench::share {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"latency", "throughput", "background"};

}  // namespace

std::string_view Name(AppClass app_class) { return kNames[static_cast<std::size_t>(app_class)]; }

std::optional<AppClass> ParseAppClass(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<AppClass>(found - kNames.begin());
}

}  // namespace cbench::share
