// null, sleep and exec.
#include <gmock/gmock.h>
#include <signal.h>

#include "app/testing.h"

namespace cbench::app {
namespace {

using scenario::AppType;
using testing::HasSubstr;

TEST(Null, EndsAtOnce) {
  Bench bench(AppType::kNull);
  bench.task.requests = 1000;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_EQ(bench.sink.finished.size(), 1000u);
  EXPECT_EQ(bench.sink.issued[0].kind, "null");
  EXPECT_GE(bench.sink.finished.at(1).t_end, bench.sink.finished.at(1).t_send);
}

TEST(Sleep, TakesItsTime) {
  Bench bench(AppType::kSleep);
  bench.spec.duration = 2 * kMillisecond;
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  const auto& done = bench.sink.finished.at(1);
  EXPECT_GE(done.t_end - done.t_send, 2 * kMillisecond);
  EXPECT_FALSE(done.failure.has_value());
}

TEST(Sleep, IsCutShortByCancel) {
  Bench bench(AppType::kSleep);
  bench.spec.duration = 3600 * kSecond;
  bench.task.requests = 2;
  bench.sink.on_issue = [&](std::size_t) { bench.cancel.Trigger(); };
  ASSERT_TRUE(bench.PrepareAndRun().has_value());
  EXPECT_EQ(bench.sink.issued.size(), 1u);
  EXPECT_EQ(bench.FailureOf(1), "cancelled");
}

struct ExecTest : testing::Test {
  ExecTest() : bench(AppType::kExec) {}
  record::RequestDone Done(std::vector<std::string> command) {
    bench.spec.command = std::move(command);
    EXPECT_TRUE(bench.PrepareAndRun().has_value());
    return bench.sink.finished.at(bench.sink.issued.size());
  }
  Bench bench;
};

TEST_F(ExecTest, KeepsTheEndOfTheOutputAndRunsInTheScenariosFolder) {
  EXPECT_EQ(Done({"pwd"}).output, std::filesystem::canonical(bench.folder.path()).string() + "\n");
  const auto done = Done({"seq", "1000"});
  EXPECT_FALSE(done.failure.has_value());
  EXPECT_TRUE(done.output.ends_with("999\n1000\n"));
  EXPECT_LE(done.output.size(), record::kMaxOutput);
}

TEST_F(ExecTest, ThereIsNoShell) { EXPECT_EQ(Done({"echo", "$HOME; *"}).output, "$HOME; *\n"); }

TEST_F(ExecTest, AnyOtherExitIsAFailedRequest) {
  EXPECT_THAT(Done({"false"}).failure->message, HasSubstr("exit status 1"));
  EXPECT_EQ(Done({"no-such-command-here"}).failure->kind, "process");
  EXPECT_EQ(Done({"sh", "-c", "kill -9 $$"}).failure->kind, "process");
}

TEST_F(ExecTest, TimeLimitStopsIt) {
  bench.spec.timeout = 20 * kMillisecond;
  EXPECT_EQ(Done({"sleep", "3600"}).failure->kind, "timeout");
}

TEST_F(ExecTest, CancelStopsIt) {
  bench.task.requests = 2;
  bench.sink.on_issue = [&](std::size_t) { bench.cancel.Trigger(); };
  EXPECT_EQ(Done({"sleep", "3600"}).failure->kind, "cancelled");
  EXPECT_EQ(bench.sink.issued.size(), 1u);
}

TEST_F(ExecTest, AnEmptyCommandIsAnInputError) {
  const auto prepared = bench.Prepare();
  ASSERT_FALSE(prepared.has_value());
  EXPECT_THAT(prepared.error().message, HasSubstr("test.yaml:3:5: command: is empty"));
}

}  // namespace
}  // namespace cbench::app
