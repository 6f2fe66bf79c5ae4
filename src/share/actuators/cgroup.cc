#include "share/actuators/cgroup.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

namespace cbench::share {
namespace fs = std::filesystem;

namespace {

constexpr int kPeriodUs = 100'000;
constexpr char kPrefix[] = "cbench-";

Result<CpuGroup> OwnGroup(const CgroupFiles& files) {
  CBENCH_ASSIGN(const std::string mounts, files.read("/proc/self/mountinfo"));
  CBENCH_ASSIGN(const std::string groups, files.read("/proc/self/cgroup"));
  return FindCpuGroup(mounts, groups);
}

Result<> Limit(const CgroupFiles& files, const fs::path& group, bool v2, double cores) {
  const long quota = std::lround(std::max(cores, 0.01) * kPeriodUs);
  if (v2) return files.write(group / "cpu.max", fmt::format("{} {}", quota, kPeriodUs));
  CBENCH_TRY(files.write(group / "cpu.cfs_period_us", std::to_string(kPeriodUs)));
  return files.write(group / "cpu.cfs_quota_us", std::to_string(quota));
}

Result<> MakeGroup(const CgroupFiles& files, const fs::path& group, bool v2, double cores) {
  CBENCH_TRY(files.make_folder(group));
  auto limited = Limit(files, group, v2, cores);
  if (!limited && v2) {  // the group above may not have switched the controller on
    if (files.write(group.parent_path() / "cgroup.subtree_control", "+cpu"))
      limited = Limit(files, group, v2, cores);
  }
  if (!limited) (void)files.remove_folder(group);
  return limited;
}

// Groups of processes that were killed are empty, but stay.
void RemoveLeftOvers(const CgroupFiles& files, const fs::path& folder) {
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kPrefix)) continue;
    const pid_t maker = std::atoi(name.c_str() + std::size(kPrefix) - 1);
    if (maker > 0 && kill(maker, 0) != 0 && errno == ESRCH) (void)files.remove_folder(entry.path());
  }
}

}  // namespace

Result<CpuQuota> CpuQuota::Make(std::string_view name, double cores, CgroupFiles files) {
  CBENCH_ASSIGN(const CpuGroup own, OwnGroup(files));
  const std::string folder = fmt::format("{}{}-{}", kPrefix, getpid(), name);
  std::vector<fs::path> places = {own.path / folder};
  if (own.v2) places.insert(places.begin(), own.path.parent_path() / folder);
  std::string why;
  for (const fs::path& place : places) {
    RemoveLeftOvers(files, place.parent_path());
    const auto made = MakeGroup(files, place, own.v2, cores);
    if (made) return CpuQuota(std::move(files), own.path, place);
    why = made.error().message;
  }
  return Failure(
      "no CPU quota: {}; run as root or in a delegated group, such as by "
      "'systemd-run --user --scope -p Delegate=yes'",
      why);
}

Result<> CpuQuota::Add(pid_t process) const {
  return files_.write(path_ / "cgroup.procs", std::to_string(process));
}

CpuQuota::CpuQuota(CpuQuota&& other) noexcept
    : files_(std::move(other.files_)),
      home_(std::move(other.home_)),
      path_(std::exchange(other.path_, {})) {}

CpuQuota::~CpuQuota() {
  if (path_.empty()) return;
  std::istringstream processes(files_.read(path_ / "cgroup.procs").value_or(""));
  for (std::string process; processes >> process;)
    (void)files_.write(home_ / "cgroup.procs", process);
  (void)files_.remove_folder(path_);
}

}  // namespace cbench::share
