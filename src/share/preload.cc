#include "share/preload.h"

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "share/gate_hook.h"

namespace cbench::share {
namespace {

namespace fs = std::filesystem;

constexpr char kLibrary[] = "libcbench-gate.so", kVariable[] = "LD_PRELOAD";

// Beside the program where it was built, in lib/ where it is installed.
Result<std::string> FindLibrary() {
  const fs::path folder = SelfPath().parent_path();
  for (const fs::path& place : {folder / kLibrary, folder.parent_path() / "lib" / kLibrary}) {
    if (!fs::exists(place)) continue;
    if (place.string().find_first_of(" :") == std::string::npos) return place.string();
    return Failure("{}: LD_PRELOAD takes no path with a space or a colon; move it", place.string());
  }
  return Failure("{} is neither in {} nor in {}", kLibrary, folder.string(),
                 (folder.parent_path() / "lib").string());
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> PreloadEnvironment(
    const Program& program, const std::string& gate) {
  CBENCH_ASSIGN(std::string preload, FindLibrary());
  const char* others = std::getenv(kVariable);
  if (others != nullptr && *others != '\0') preload += std::string(":") + others;
  auto environment = EnvironmentOf(program);
  environment.emplace_back(kGateVariable, gate);
  environment.emplace_back(kVariable, std::move(preload));
  return environment;
}

}  // namespace cbench::share
