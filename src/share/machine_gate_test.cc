#include "share/machine_gate.h"

#include <unistd.h>

#include <cstdlib>

namespace cbench::share {
namespace {

using testing::HasSubstr;

class MachineGateTest : public testing::Test {
 protected:
  MachineGateTest() {
    if (const char* told = std::getenv("XDG_RUNTIME_DIR")) before_ = told;
  }
  ~MachineGateTest() override {
    if (before_.empty()) {
      unsetenv("XDG_RUNTIME_DIR");
    } else {
      setenv("XDG_RUNTIME_DIR", before_.c_str(), 1);
    }
  }

 private:
  std::string before_;
};

TEST_F(MachineGateTest, ItIsInTheUsersRuntimeFolder) {
  std::string folder = testing::TempDir() + "/runtime-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
  EXPECT_EQ(MachineGatePath(), folder + "/cbench-gate");
  rmdir(folder.c_str());
  EXPECT_THAT(MachineGatePath(), HasSubstr(std::to_string(geteuid())));  // no such folder any more
}

TEST_F(MachineGateTest, CreditWithTwoLanesWhereTheKernelCanTellThemApart) {
  const GateOptions options = MachineGateOptions();
  EXPECT_EQ(options.policy, "credit");
  EXPECT_EQ(options.kernel_lanes, options.lanes.total == 2);
}

}  // namespace
}  // namespace cbench::share
