#include "share/actuators/cgroup_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

namespace cbench::share {
namespace fs = std::filesystem;

namespace {

Result<std::string> Read(const fs::path& path) {
  std::ifstream in(path);
  if (!in) return Failure("{}: {}", path.string(), std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// One write call: the kernel takes each as a command of its own and answers it.
Result<> Write(const fs::path& path, std::string_view text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  const bool done = fd >= 0 && write(fd, text.data(), text.size()) >= 0;
  const int error = errno;
  if (fd >= 0) close(fd);
  if (done) return {};
  return Failure("{}: {}", path.string(), std::strerror(error));
}

Result<> MakeFolder(const fs::path& path) {
  if (mkdir(path.c_str(), 0755) == 0) return {};
  return Failure("{}: {}", path.string(), std::strerror(errno));
}

Result<> RemoveFolder(const fs::path& path) {
  if (rmdir(path.c_str()) == 0) return {};
  return Failure("{}: {}", path.string(), std::strerror(errno));
}

struct Mount {
  std::string root, point, type, options;
};

// "36 35 98:0 /root /point rw,noatime optional… - type source options"
std::optional<Mount> ParseMount(const std::string& line) {
  const auto dash = line.find(" - ");
  if (dash == std::string::npos) return std::nullopt;
  Mount mount;
  std::string skipped;
  std::istringstream before(line), after(line.substr(dash + 3));
  before >> skipped >> skipped >> skipped >> mount.root >> mount.point;
  after >> mount.type >> skipped >> mount.options;
  return mount;
}

bool Lists(const std::string& list, std::string_view word) {
  std::istringstream words(list);
  for (std::string each; std::getline(words, each, ',');)
    if (each == word) return true;
  return false;
}

// The path in "ID:controllers:path" of the hierarchy that has `cpu`, or of v2 ("0::path").
std::optional<std::string> GroupPath(const std::string& groups, bool v2) {
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (v2 ? controllers.empty() : Lists(controllers, "cpu")) return line.substr(second + 1);
  }
  return std::nullopt;
}

// A container may see only what is below the mount's root.
fs::path Locate(const Mount& mount, const std::string& group) {
  const bool below = mount.root != "/" && group.starts_with(mount.root);
  const std::string rest = below ? group.substr(mount.root.size()) : group;
  return (fs::path(mount.point) / fs::path(rest).relative_path()).lexically_normal();
}

}  // namespace

CgroupFiles KernelCgroupFiles() {
  return {.read = Read, .write = Write, .make_folder = MakeFolder, .remove_folder = RemoveFolder};
}

Result<CpuGroup> FindCpuGroup(const std::string& mounts, const std::string& groups) {
  std::optional<CpuGroup> found;
  std::istringstream lines(mounts);
  for (std::string line; std::getline(lines, line);) {
    const auto mount = ParseMount(line);
    if (!mount) continue;
    const bool v2 = mount->type == "cgroup2";
    if (!v2 && (mount->type != "cgroup" || !Lists(mount->options, "cpu"))) continue;
    const auto group = GroupPath(groups, v2);
    if (group && (!found || !v2)) found = {Locate(*mount, *group), v2};
  }
  if (found) return *found;
  return Failure("no control groups for CPU time are mounted");
}

}  // namespace cbench::share
