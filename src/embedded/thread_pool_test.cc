#include "embedded/thread_pool.h"

#include <gtest/gtest.h>

#include "base/cores.h"

namespace cbench::embedded {
namespace {

int AllCores() { return static_cast<int>(AllowedCores().size()); }

TEST(ThreadPool, GivesEachThreadACoreAndLeavesTheMakerFree) {
  const std::vector<int> before = AllowedCores();
  const auto pool = ThreadPool::Make({.threads = AllCores(), .own_cores = true});
  ASSERT_TRUE(pool) << pool.error().message;
  EXPECT_EQ(AllowedCores(), before);
  {
    const ThreadPool::Seat seat(*pool);
    EXPECT_EQ(AllowedCores(), std::vector<int>{before.back()});
  }
  EXPECT_EQ(AllowedCores(), before);
}

TEST(ThreadPool, SitsNowhereUnlessThereAreExactlyAsManyCoresAsThreads) {
  const std::vector<int> before = AllowedCores();
  for (const PoolOptions& options : {PoolOptions{.threads = AllCores() + 1, .own_cores = true},
                                     PoolOptions{.threads = AllCores(), .own_cores = false}}) {
    const auto pool = ThreadPool::Make(options);
    ASSERT_TRUE(pool) << pool.error().message;
    const ThreadPool::Seat seat(*pool);
    EXPECT_EQ(AllowedCores(), before);
  }
}

TEST(ThreadPool, WithoutThreadsHasNoSeats) {
  const ThreadPool none;
  const std::vector<int> before = AllowedCores();
  const ThreadPool::Seat seat(none);
  EXPECT_EQ(AllowedCores(), before);
}

}  // namespace
}  // namespace cbench::embedded
