#include "base/cores.h"

#include <sched.h>

#include <thread>

namespace cbench {
namespace {

TEST(CoresTest, AreThoseThatAffinityLeaves) {
  const std::vector<int> all = AllowedCores();
  ASSERT_FALSE(all.empty());
  std::thread([&] {  // affinity belongs to the thread
    cpu_set_t last;
    CPU_ZERO(&last);
    CPU_SET(static_cast<std::size_t>(all.back()), &last);
    ASSERT_EQ(sched_setaffinity(0, sizeof last, &last), 0);
    EXPECT_THAT(AllowedCores(), testing::ElementsAre(all.back()));
  })
      .join();
  EXPECT_EQ(AllowedCores(), all);
}

}  // namespace
}  // namespace cbench
