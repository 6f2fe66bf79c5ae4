#include "base/subprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <mutex>
#include <thread>

#include "base/cancel.h"
#include "base/file.h"

namespace cbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Nanos kLimit = 60 * kSecond;  // no test gets near it

class SubprocessTest : public testing::Test {
 protected:
  SubprocessTest() { std::filesystem::create_directories(folder_); }
  ~SubprocessTest() override { std::filesystem::remove_all(folder_); }

  SubprocessOptions Shell(const std::string& script) {
    SubprocessOptions options;
    options.argv = {"/bin/sh", "-c", script};
    options.log = folder_ / "log";
    options.on_line = [this](std::string_view line) { lines_.emplace_back(line); };
    options.on_exit = [this](const Exit&) { ++exits_; };
    return options;
  }
  // Starts it and waits until it has said so many lines.
  std::unique_ptr<Subprocess> StartAndHear(SubprocessOptions options, std::size_t lines = 1) {
    const auto heard = std::make_shared<Cancel>();  // the callback may outlive this call
    options.on_line = [this, heard, lines, keep = options.on_line](std::string_view line) {
      keep(line);
      if (lines_.size() == lines) heard->Trigger();
    };
    auto child = Subprocess::Start(std::move(options)).value();
    EXPECT_TRUE(heard->WaitUntil(Now() + kLimit));
    return child;
  }
  // Runs it to its end.
  Exit Run(SubprocessOptions options) {
    auto child = Subprocess::Start(std::move(options));
    EXPECT_TRUE(child) << child.error().message;
    EXPECT_TRUE((*child)->WaitUntil(Now() + kLimit));
    return *(*child)->exit();
  }
  std::string Log() { return ReadFile(folder_ / "log").value(); }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("cbench-subprocess-{}", getpid());
  std::vector<std::string> lines_;  // the keeper's until WaitUntil has returned true
  int exits_ = 0;
};

TEST_F(SubprocessTest, ReportsExitStatusLinesAndLog) {
  const Exit exit = Run(Shell("echo one; echo two >&2; printf three; exit 7"));
  EXPECT_FALSE(exit.signalled);
  EXPECT_EQ(exit.code, 7);
  EXPECT_EQ(exit.ToString(), "exit status 7");
  EXPECT_GT(exit.max_rss_kib, 0);
  EXPECT_THAT(lines_, ElementsAre("one", "three"));
  EXPECT_EQ(exits_, 1);
  EXPECT_THAT(Log(), HasSubstr("two"));
  EXPECT_THAT(Log(), HasSubstr("three"));
}

TEST_F(SubprocessTest, ReportsTheSignalThatEndedIt) {
  const Exit exit = Run(Shell("kill -KILL $$"));
  EXPECT_TRUE(exit.signalled);
  EXPECT_EQ(exit.code, SIGKILL);
  EXPECT_THAT(exit.ToString(), HasSubstr("signal 9"));
}

TEST_F(SubprocessTest, NamesACommandThatIsNotThere) {
  SubprocessOptions options;
  options.argv = {"/nonexistent/program"};
  const auto child = Subprocess::Start(options);
  ASSERT_FALSE(child);
  EXPECT_THAT(child.error().message, HasSubstr("/nonexistent/program"));
  options.argv.clear();
  EXPECT_FALSE(Subprocess::Start(options));
}

TEST_F(SubprocessTest, StopsWithTermFirst) {
  auto options = Shell("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.01; done");
  const auto child = StartAndHear(std::move(options));
  EXPECT_FALSE(child->exit());
  child->Stop(kLimit);
  EXPECT_EQ(child->exit()->ToString(), "exit status 0");
  EXPECT_THAT(lines_, ElementsAre("up", "bye"));
  child->Stop();  // idempotent
  EXPECT_EQ(exits_, 1);
}

TEST_F(SubprocessTest, KillsWhatIgnoresTerm) {
  auto options = Shell("trap '' TERM; echo up; while :; do sleep 0.01; done");
  const auto child = StartAndHear(std::move(options));
  child->Stop(kMillisecond);
  EXPECT_EQ(child->exit()->code, SIGKILL);
}

// It has been sent SIGKILL: gone already, or about to.
bool Ends(pid_t process) {
  pollfd death = {static_cast<int>(syscall(SYS_pidfd_open, process, 0)), POLLIN, 0};
  if (death.fd < 0) return true;
  const bool ended = poll(&death, 1, 60'000) == 1;
  close(death.fd);
  return ended;
}

TEST_F(SubprocessTest, EndsTheWholeGroupWithItsLeader) {
  Run(Shell("sleep 600 & echo $!"));
  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_TRUE(Ends(std::stoi(lines_[0])));
}

// However the leader goes: by our SIGKILL, by our SIGTERM, by somebody else's SIGKILL; and though
// the others ignore what can be ignored.
TEST_F(SubprocessTest, EndsStubbornGrandchildren) {
  const std::string grandchildren =
      "sh -c \"trap '' TERM HUP; sh -c 'echo \\$\\$; sleep 600; :' & sleep 600; :\" & echo $!; ";
  for (const char* leader : {"trap '' TERM; wait; wait", "wait", "sleep 0.2; kill -KILL $$"}) {
    lines_.clear();
    const auto child = StartAndHear(Shell(grandchildren + leader), 2);
    child->Stop(100 * kMillisecond);
    for (const std::string& process : lines_) EXPECT_TRUE(Ends(std::stoi(process))) << leader;
  }
}

// Out of the group, out of the session, orphaned, and deaf to what can be ignored.
TEST_F(SubprocessTest, EndsWhatLeftTheGroup) {
  for (const char* leader : {"wait", "exit 0", "trap '' TERM; wait; wait", "kill -KILL $$"}) {
    lines_.clear();
    auto options = Shell(
        "setsid sh -c \"trap '' TERM HUP; setsid sh -c 'echo \\$\\$; sleep 600; :' & "
        "echo \\$\\$; sleep 600; :\" & read -r go; " +
        std::string(leader));
    options.hold_stdin = true;
    SCOPED_TRACE(leader);
    const auto child = StartAndHear(std::move(options), 2);
    child->Stop(100 * kMillisecond);
    for (const std::string& process : lines_) {
      EXPECT_EQ(kill(std::stoi(process), 0), -1) << leader << ": must be gone when Stop returns";
    }
  }
}

// Only kill -9 ends a warden. Its command goes with it, and we hear of that.
TEST_F(SubprocessTest, SurvivesTheDeathOfAWarden) {
  auto options = Shell("cut -d' ' -f4 /proc/$$/stat; sleep 600");
  const auto child = StartAndHear(std::move(options));
  const pid_t warden = std::stoi(lines_.at(0));
  ASSERT_NE(warden, getpid());
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) kill(warden, signal);
  EXPECT_FALSE(child->exit());
  kill(warden, SIGKILL);
  ASSERT_TRUE(child->WaitUntil(Now() + kLimit));
  EXPECT_EQ(child->exit()->ToString(), "signal 9 (Killed)");
  EXPECT_TRUE(Ends(child->pid()));
}

TEST_F(SubprocessTest, WakesAStoppedWarden) {
  auto options = Shell("cut -d' ' -f4 /proc/$$/stat; sleep 600");
  const auto child = StartAndHear(std::move(options));
  kill(std::stoi(lines_.at(0)), SIGSTOP);
  child->Stop(kLimit);
  EXPECT_EQ(child->exit()->code, SIGTERM);
}

TEST_F(SubprocessTest, DevNullIsStdinUnlessHeld) {
  EXPECT_EQ(Run(Shell("cat; exit 3")).code, 3);
  auto options = Shell("echo up; cat; exit 4");
  options.hold_stdin = true;
  const auto child = StartAndHear(std::move(options));
  EXPECT_FALSE(child->exit()) << "cat must still be waiting for us";
}

TEST_F(SubprocessTest, AddsToTheEnvironmentAndChangesFolder) {
  auto options = Shell("echo $PWD $CBENCH_TEST $HOME");
  options.environment = {{"CBENCH_TEST", "set"}, {"HOME", "/replaced"}};
  options.directory = folder_;
  Run(std::move(options));
  EXPECT_THAT(lines_, ElementsAre(folder_.string() + " set /replaced"));
}

TEST_F(SubprocessTest, InheritsNoDescriptors) {
  const int leak = dup(1);  // without close-on-exec
  Run(Shell("ls /proc/self/fd | wc -l"));
  close(leak);
  EXPECT_THAT(lines_, ElementsAre("4"));  // 0, 1, 2 and the one ls reads the folder with
}

TEST_F(SubprocessTest, CapsTheLogAndLongLines) {
  auto options = Shell("head -c 200000 /dev/zero | tr '\\0' x; echo; echo after");
  options.log_limit = 1000;
  Run(std::move(options));
  EXPECT_EQ(Log().find("\n[the rest was dropped"), 1000u);
  ASSERT_EQ(lines_.size(), 2u);
  EXPECT_EQ(lines_[0].size(), 64u << 10);
  EXPECT_EQ(lines_[1], "after");
}

TEST_F(SubprocessTest, ManyAtOnceFromManyThreads) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([i] {
      SubprocessOptions options;
      options.argv = {"sh", "-c", fmt::format("exit {}", i)};
      auto child = Subprocess::Start(std::move(options)).value();
      ASSERT_TRUE(child->WaitUntil(Now() + kLimit));
      EXPECT_EQ(child->exit()->code, i);
    });
  }
}

TEST_F(SubprocessTest, LogTailTakesTheLastLines) {
  const auto log = folder_ / "log";
  EXPECT_EQ(LogTail(log, 2), "");
  std::ofstream(log) << "one\ntwo\nthree\n";
  EXPECT_EQ(LogTail(log, 2), "two\nthree");
  EXPECT_EQ(LogTail(log, 9), "one\ntwo\nthree");
}

}  // namespace
}  // namespace cbench
