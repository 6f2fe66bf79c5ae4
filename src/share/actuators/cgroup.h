// A hard limit on the CPU time of some processes: the actuator of a static partition. A control
// group of our own with a quota; the kernel stops its threads for the rest of each 100 ms once
// they have used it. Unlike a scheduling class it is not work-conserving: time left over stays
// unused. Needs a group that was delegated to this user (or root).
//
// Under cgroup v2 a group that holds processes can't give quotas to groups below it, so the new
// group goes beside this process's group rather than below, where that is allowed.
#pragma once

#include <sys/types.h>

#include <string_view>

#include "share/actuators/cgroup_files.h"

namespace cbench::share {

class CpuQuota {
 public:
  // A group cbench-PID-NAME with `cores` cores' worth of time (0.01 at least). Errors say what is
  // not allowed here and what would help. Removes groups of processes that were killed.
  static Result<CpuQuota> Make(std::string_view name, double cores,
                               CgroupFiles files = KernelCgroupFiles());

  // Puts a process and those it starts from then on under the limit.
  Result<> Add(pid_t process) const;

  const std::filesystem::path& path() const { return path_; }

  CpuQuota(CpuQuota&& other) noexcept;
  CpuQuota& operator=(CpuQuota&&) = delete;
  ~CpuQuota();  // its processes go back to this process's group, and the group is removed

 private:
  CpuQuota(CgroupFiles files, std::filesystem::path home, std::filesystem::path path)
      : files_(std::move(files)), home_(std::move(home)), path_(std::move(path)) {}

  CgroupFiles files_;
  std::filesystem::path home_, path_;  // this process's group and ours; path_ empty: moved from
};

}  // namespace cbench::share
