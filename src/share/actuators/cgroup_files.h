// The few things one does to the kernel's control groups, which are folders and files. Injected,
// so that tests need neither groups nor privileges.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cbench::share {

// Errors name the path and the system's reason.
struct CgroupFiles {
  std::function<Result<std::string>(const std::filesystem::path&)> read;
  std::function<Result<>(const std::filesystem::path&, std::string_view)> write;  // no new files
  std::function<Result<>(const std::filesystem::path&)> make_folder, remove_folder;
};
CgroupFiles KernelCgroupFiles();

// Where a process's CPU time is accounted.
struct CpuGroup {
  std::filesystem::path path;  // its folder
  bool v2 = false;             // cgroup v2: cpu.max; else v1: cpu.cfs_quota_us
};

// From the texts of /proc/self/mountinfo and /proc/self/cgroup (proc(5), cgroups(7)). Where both
// versions are mounted, the one that has the controller `cpu`.
Result<CpuGroup> FindCpuGroup(const std::string& mounts, const std::string& groups);

}  // namespace cbench::share
