#include "share/actuators/cgroup.h"

#include <unistd.h>

#include <map>
#include <set>

#include "share/gate/testing_child.h"

namespace cbench::share {
namespace {

using testing::HasSubstr;

constexpr char kV2Mount[] = "38 31 0:38 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
constexpr char kV1Mount[] = "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n";

// Control groups as the kernel would have them: a new folder gets its files by itself, those of a
// controller only if the folder above has switched it on.
class Kernel {
 public:
  std::map<std::string, std::string> files;
  std::set<std::string> refused;  // paths that may not be written
  bool v2 = true;

  CgroupFiles Files() {
    return {.read = [this](const auto& path) -> Result<std::string> {
              if (!files.count(path)) return Failure("{}: not there", path.string());
              return files[path];
            },
            .write = [this](const auto& path, std::string_view text) -> Result<> {
              if (!files.count(path) || refused.count(path))
                return Failure("{}: refused", path.string());
              files[path] = text;
              if (path.filename() == "cgroup.subtree_control") enabled.insert(path.parent_path());
              for (const auto& group : groups)
                if (enabled.count(group.parent_path())) files.try_emplace(group / "cpu.max");
              return {};
            },
            .make_folder = [this](const auto& path) -> Result<> {
              if (refused.count(path)) return Failure("{}: refused", path.string());
              groups.insert(path);
              files[path / "cgroup.procs"];
              if (!v2) files[path / "cpu.cfs_quota_us"], files[path / "cpu.cfs_period_us"];
              if (v2 && enabled.count(path.parent_path())) files[path / "cpu.max"];
              return {};
            },
            .remove_folder = [this](const auto& path) -> Result<> {
              groups.erase(path);
              return {};
            }};
  }
  std::set<std::filesystem::path> groups, enabled;
};

class CpuQuotaTest : public testing::Test {
 protected:
  void UseV2() {
    kernel_.files["/proc/self/mountinfo"] = kV2Mount;
    kernel_.files["/proc/self/cgroup"] = "0::/user/app\n";
    kernel_.files["/sys/fs/cgroup/user/cgroup.subtree_control"];
    kernel_.files["/sys/fs/cgroup/user/app/cgroup.procs"];
  }
  void UseV1() {
    kernel_.v2 = false;
    kernel_.files["/proc/self/mountinfo"] = fmt::format("{}{}", kV2Mount, kV1Mount);
    kernel_.files["/proc/self/cgroup"] = "2:cpu,cpuacct:/job\n0::/\n";
  }
  Kernel kernel_;
  const std::string folder_ = fmt::format("cbench-{}-text", getpid());
};

TEST_F(CpuQuotaTest, V2GroupStandsBesideOursAndHasItsLimit) {
  UseV2();
  const std::string path = "/sys/fs/cgroup/user/" + folder_;
  {
    const auto quota = CpuQuota::Make("text", 0.5, kernel_.Files());
    ASSERT_TRUE(quota) << quota.error().message;
    EXPECT_EQ(quota->path(), path);
    EXPECT_EQ(kernel_.files["/sys/fs/cgroup/user/cgroup.subtree_control"], "+cpu");
    EXPECT_EQ(kernel_.files[path + "/cpu.max"], "50000 100000");
    EXPECT_TRUE(quota->Add(77));
    EXPECT_EQ(kernel_.files[path + "/cgroup.procs"], "77");
  }
  EXPECT_EQ(kernel_.files["/sys/fs/cgroup/user/app/cgroup.procs"], "77");
  EXPECT_TRUE(kernel_.groups.empty());
}

TEST_F(CpuQuotaTest, V1HasPeriodAndQuota) {
  UseV1();
  const auto quota = CpuQuota::Make("text", 1.5, kernel_.Files());
  ASSERT_TRUE(quota) << quota.error().message;
  const std::string path = "/sys/fs/cgroup/cpu/job/" + folder_;
  EXPECT_EQ(quota->path(), path);
  EXPECT_EQ(kernel_.files[path + "/cpu.cfs_period_us"], "100000");
  EXPECT_EQ(kernel_.files[path + "/cpu.cfs_quota_us"], "150000");
}

TEST_F(CpuQuotaTest, WithoutDelegationTheErrorSaysWhatWouldHelpAndNothingIsLeft) {
  UseV2();
  kernel_.refused = {"/sys/fs/cgroup/user/cgroup.subtree_control"};
  const auto quota = CpuQuota::Make("text", 1, kernel_.Files());
  ASSERT_FALSE(quota);
  EXPECT_EQ(quota.error().kind, ErrorKind::kFailure);
  EXPECT_THAT(quota.error().message, HasSubstr("Delegate=yes"));
  EXPECT_TRUE(kernel_.groups.empty());
}

TEST_F(CpuQuotaTest, GroupsAreFoundWhereTheyAreMounted) {
  EXPECT_EQ(FindCpuGroup(kV2Mount, "0::/a/b\n")->path, "/sys/fs/cgroup/a/b");
  EXPECT_EQ(FindCpuGroup("1 2 0:3 /docker/x /cg rw - cgroup2 c rw\n", "0::/docker/x/y\n")->path,
            "/cg/y");
  EXPECT_FALSE(
      FindCpuGroup(fmt::format("{}{}", kV1Mount, kV2Mount), "2:cpuacct,cpu:/\n0::/\n")->v2);
  EXPECT_FALSE(FindCpuGroup("", ""));
  EXPECT_FALSE(FindCpuGroup("no dash\n1 2 - x\n", "0::/\n"));
}

TEST(CpuQuotaOnThisMachine, HoldsAProcessAndGoesAway) {
  std::filesystem::path path;
  {
    const auto quota = CpuQuota::Make("test", 1);
    if (!quota)
      GTEST_SKIP() << quota.error().message << "; CpuQuotaTest checks the rest without a kernel";
    path = quota->path();
    Child child([](Child& self) {
      self.Hear();
      return 0;
    });
    ASSERT_TRUE(quota->Add(child.pid()));
    const auto groups =
        KernelCgroupFiles().read(fmt::format("/proc/{}/cgroup", child.pid())).value();
    EXPECT_THAT(groups, HasSubstr(path.filename().string()));
    child.Say("go");
    EXPECT_EQ(child.Wait(), 0);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(CpuQuotaOnThisMachine, TheGroupOfAProcessThatWasKilledGoesWithTheNext) {
  const auto quota = CpuQuota::Make("test", 1);
  if (!quota) GTEST_SKIP() << quota.error().message << "; nothing can be left over here";
  Child child([](Child&) {
    auto left = CpuQuota::Make("left", 1);
    if (left) raise(SIGKILL);
    return 1;
  });
  const auto group = quota->path().parent_path() / fmt::format("cbench-{}-left", child.pid());
  child.Wait();
  EXPECT_TRUE(std::filesystem::exists(group));
  (void)CpuQuota::Make("next", 1);
  EXPECT_FALSE(std::filesystem::exists(group));
}

}  // namespace
}  // namespace cbench::share
