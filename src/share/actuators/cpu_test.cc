#include "share/actuators/cpu.h"

#include <sched.h>
#include <unistd.h>

#include <latch>
#include <thread>

namespace cbench::share {
namespace {

using testing::ElementsAre;
using testing::Pair;

class CpuLanesTest : public testing::Test {
 protected:
  std::vector<std::pair<pid_t, Lane>> set_;
  CpuLanes lanes_{[this](pid_t thread, Lane lane) {
    set_.emplace_back(thread, lane);
    return true;
  }};
};

TEST_F(CpuLanesTest, FrontStepsChangeNothing) {
  EXPECT_FALSE(lanes_.Enter(Lane::kFront));
  lanes_.Leave();
  EXPECT_TRUE(set_.empty());
}

TEST_F(CpuLanesTest, WorkersChangeWithTheLaneTheCallerComesBackAfterEachStep) {
  const std::vector<pid_t> workers = {11, 12};
  lanes_.AddWorkers(workers);
  EXPECT_TRUE(lanes_.Enter(Lane::kBack));
  EXPECT_THAT(
      set_, ElementsAre(Pair(gettid(), Lane::kBack), Pair(11, Lane::kBack), Pair(12, Lane::kBack)));
  set_.clear();
  lanes_.Leave();
  lanes_.Enter(Lane::kBack);
  lanes_.Leave();
  EXPECT_THAT(set_, ElementsAre(Pair(gettid(), Lane::kFront), Pair(gettid(), Lane::kBack),
                                Pair(gettid(), Lane::kFront)));
  set_.clear();
  EXPECT_TRUE(lanes_.Enter(Lane::kFront));
  EXPECT_THAT(set_, ElementsAre(Pair(11, Lane::kFront), Pair(12, Lane::kFront)));
}

TEST_F(CpuLanesTest, AWorkerThatComesLateIsPutInTheWorkersLane) {
  lanes_.Enter(Lane::kBack);
  lanes_.Leave();
  set_.clear();
  const std::vector<pid_t> workers = {11};
  lanes_.AddWorkers(workers);
  EXPECT_THAT(set_, ElementsAre(Pair(11, Lane::kBack)));
}

TEST(CpuTest, KernelLanesAreTheSchedulingClasses) {
  const auto available = CpuLanes::Available();
  if (!available) {  // this thread could not come back
    EXPECT_THAT(available.error().message, testing::HasSubstr("SCHED_IDLE"));
    GTEST_SKIP() << available.error().message << "; CpuLanesTest checks the rest without a kernel";
  }
  EXPECT_TRUE(SetKernelLane(gettid(), Lane::kBack));
  EXPECT_EQ(sched_getscheduler(gettid()), SCHED_IDLE);
  EXPECT_TRUE(SetKernelLane(gettid(), Lane::kFront));
  EXPECT_EQ(sched_getscheduler(gettid()), SCHED_OTHER);
}

TEST(CpuTest, ThreadsAreFoundByTheNameTheyWereStartedUnder) {
  std::latch end(1);
  std::vector<std::jthread> threads;
  // First one without the name: a sanitizer starts a thread of its own together with the first.
  threads.emplace_back([&end] { end.wait(); });
  {
    const NameForNewThreads name("cbench-test-pool");
    threads.emplace_back([&end] { end.wait(); });
    threads.emplace_back([&end] { end.wait(); });
  }
  threads.emplace_back([&end] { end.wait(); });
  EXPECT_EQ(ThreadsNamed("cbench-test-pool").size(), 2u);
  EXPECT_TRUE(ThreadsNamed("no such name").empty());
  end.count_down();
}

}  // namespace
}  // namespace cbench::share
