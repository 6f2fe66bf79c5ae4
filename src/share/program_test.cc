#include "share/program.h"

#include <cerrno>
#include <cstdlib>

namespace cbench::share {
namespace {

using testing::HasSubstr;

class ProgramTest : public testing::Test {
 protected:
  ProgramTest() { Clear(); }
  ~ProgramTest() override { Clear(); }

 private:
  static void Clear() {
    for (const char* name : {kAppVariable, kClassVariable, kWeightVariable}) unsetenv(name);
  }
};

TEST_F(ProgramTest, WithoutVariablesItIsALatencyAppNamedByItsFile) {
  const auto program = ProgramFromEnvironment();
  ASSERT_TRUE(program);
  EXPECT_EQ(program->app, program_invocation_short_name);
  EXPECT_EQ(program->app_class, AppClass::kLatency);
  EXPECT_EQ(program->weight, 1);
}

TEST_F(ProgramTest, WhatIsToldToAProgramArrives) {
  const Program told{.app = "my engine", .app_class = AppClass::kBackground, .weight = 0.25};
  for (const auto& [name, value] : EnvironmentOf(told)) setenv(name.c_str(), value.c_str(), 1);
  const auto program = ProgramFromEnvironment();
  ASSERT_TRUE(program);
  EXPECT_EQ(program->app, told.app);
  EXPECT_EQ(program->app_class, told.app_class);
  EXPECT_EQ(program->weight, told.weight);
  EXPECT_EQ(StepOf(*program).app, told.app);
  EXPECT_EQ(StepOf(*program).app_class, told.app_class);
  EXPECT_EQ(StepOf(*program).weight, told.weight);
}

TEST_F(ProgramTest, ABadValueIsNamedWithItsVariable) {
  setenv(kClassVariable, "urgent", 1);
  EXPECT_THAT(ProgramFromEnvironment().error().message, HasSubstr("CBENCH_CLASS is latency"));
  unsetenv(kClassVariable);
  for (const char* weight : {"0", "-1", "nan", "inf", "2x", "x", "1001"}) {
    setenv(kWeightVariable, weight, 1);
    const auto program = ProgramFromEnvironment();
    ASSERT_FALSE(program) << weight;
    EXPECT_THAT(program.error().message, HasSubstr("CBENCH_WEIGHT is a number"));
  }
}

}  // namespace
}  // namespace cbench::share
