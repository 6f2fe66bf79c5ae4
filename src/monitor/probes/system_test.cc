// Memory, processes, disks, network, control groups and batteries.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "monitor/process_tree.h"
#include "monitor/testing.h"

namespace cbench::monitor {
namespace {

using namespace monitor::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Memory, IsInBytes) {
  const Files files = {
      {"/proc/meminfo", "MemTotal: 9 kB\nMemAvailable: 4 kB\nSwapTotal: 3 kB\nSwapFree: 1 kB\n"}};
  auto values = ReadAll("memory", {files});
  EXPECT_EQ(values["available"], 4096.0);
  EXPECT_EQ(values["swap_used"], 2048.0);
  EXPECT_EQ(ReadAll("memory", {files, {}})["available"], std::nullopt);
}

TEST(Paging, IsARateAndMinorFaultsAreTheOthers) {
  const Files first = {{"/proc/vmstat", "pswpin 10\npswpout 0\npgfault 1000\npgmajfault 5\n"}};
  const Files second = {{"/proc/vmstat", "pswpin 12\npswpout 1\npgfault 1100\npgmajfault 7\n"}};
  auto values = ReadAll("paging", {first, second});
  EXPECT_EQ(values["swap_in"], 8192);
  EXPECT_EQ(values["swap_out"], 4096);
  EXPECT_EQ(values["major_faults"], 2);
  EXPECT_EQ(values["minor_faults"], 98);
  EXPECT_EQ(ReadAll("paging", {second, first})["swap_in"], std::nullopt) << "went backwards";
}

// pid (comm) state ppid …: fields 4, 12 (major faults), 14, 15 (ticks), 20, 22 (start), 24 (pages).
std::string ProcStat(int pid, int parent, int ticks, int pages, int start = 100) {
  return fmt::format(
      "{} (a) b ) R {} 1 1 0 -1 4194304 99 0 3 0 {} 1 0 0 20 0 2 0 {} 999 {} 18446\n", pid, parent,
      ticks - 1, start, pages);
}

TEST(ProcessTree, ACommandMayHoldAnything) {
  const auto stat = ParseProcessStat(ProcStat(7, 3, 40, 5));
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->parent, 3);
  EXPECT_EQ(stat->cpu_ticks, 40);
  EXPECT_EQ(stat->threads, 2);
  EXPECT_EQ(stat->major_faults, 3);
  EXPECT_EQ(stat->start_ticks, 100);
  EXPECT_EQ(stat->resident_pages, 5);
  EXPECT_FALSE(ParseProcessStat("7 (x) R 1 2"));
  EXPECT_FALSE(ParseProcessStat(""));
}

TEST(ProcessTree, ADescendantBelongsToTheNearestWatchedProcess) {
  FakeMachine machine;
  machine.processes = {{"harness", 10}, {"text", 20}};
  const auto add = [&](int pid, int parent, int start = 100) {
    machine.files[fmt::format("/proc/{}/stat", pid)] = ProcStat(pid, parent, 1, 1, start);
  };
  add(10, 1), add(20, 10), add(30, 20), add(5, 30), add(11, 10), add(40, 1);
  ProcessTree tree(machine.system());
  tree.Refresh();
  EXPECT_THAT(tree.pids()[0], ElementsAre(10, 11));
  EXPECT_THAT(tree.pids()[1], ElementsAre(5, 20, 30));
  EXPECT_EQ(tree.OwnerOf(40), -1);

  add(5, 1);        // its parent ended; it was seen before
  add(30, 1, 200);  // another process with an old number
  machine.files.erase("/proc/20/stat");
  tree.Refresh();
  EXPECT_THAT(tree.pids()[0], ElementsAre(10, 11));
  EXPECT_THAT(tree.pids()[1], ElementsAre(5));
}

TEST(ProcessTree, ANewHolderOfAStrangersNumberIsFoundLater) {
  FakeMachine machine;
  machine.processes = {{"text", 20}};
  machine.files = {{"/proc/20/stat", ProcStat(20, 1, 1, 1)},
                   {"/proc/30/stat", ProcStat(30, 1, 1, 1)}};
  ProcessTree tree(machine.system());
  tree.Refresh();
  machine.files["/proc/30/stat"] = ProcStat(30, 20, 1, 1, 200);
  machine.files["/proc/31/stat"] = ProcStat(31, 20, 1, 1, 200);
  tree.Refresh();
  EXPECT_THAT(tree.pids()[0], ElementsAre(20, 31)) << "a new number is seen at once";
  for (int i = 0; i < 5; ++i) tree.Refresh();
  EXPECT_THAT(tree.pids()[0], ElementsAre(20, 30, 31));
}

// A process with a child, of which only the first remains if `child` is 0.
Files Tree(int ticks, int child) {
  Files files = {{"/proc/self/stat", "x"},
                 {"/proc/self/smaps_rollup", "x"},
                 {"/proc/20/stat", ProcStat(20, 1, ticks, 10)},
                 {"/proc/20/smaps_rollup",
                  "00-ff ---p [rollup]\nRss: 9 kB\nPss: 3 kB\nPss_Anon: 2 kB\nSwapPss: 1 kB\n"}};
  if (child > 0) {
    files["/proc/21/stat"] = ProcStat(21, 20, child, 5);
    files["/proc/21/smaps_rollup"] = "00-ff ---p [rollup]\nPss:  2 kB\nSwapPss: 0 kB\n";
  }
  return files;
}

TEST(Process, AddsUpATreeAndDoesNotFallWhenAChildEnds) {
  FakeMachine machine;
  machine.processes = {{"text", 20}};
  auto values = ReadAll("process", machine, {Tree(100, 50), Tree(150, 70)});
  EXPECT_DOUBLE_EQ(*values["text.cpu"], 0.7);
  EXPECT_EQ(values["text.rss"], 15 * 4096);
  EXPECT_EQ(values["text.threads"], 4);
  values = ReadAll("process", machine, {Tree(100, 50), Tree(150, 70), Tree(160, 0)});
  EXPECT_DOUBLE_EQ(*values["text.cpu"], 0.1);
}

TEST(Process, OneThatEndedIsNull) {
  FakeMachine machine;
  machine.processes = {{"text", 20}};
  EXPECT_EQ(ReadAll("process", machine, {Tree(5, 0)})["text.rss"], 40960);
  auto values = ReadAll("process", machine, {Tree(5, 0), {}, {}, {}});
  EXPECT_EQ(values.size(), 4u);
  for (const auto& [name, value] : values) EXPECT_EQ(value, std::nullopt) << name;
}

TEST(Process, WantsSomethingToWatch) {
  FakeMachine machine;
  machine.files = Tree(5, 0);
  EXPECT_THAT(WhyNot("process", machine), HasSubstr("no process was named"));
  EXPECT_THAT(WhyNot("footprint", machine), HasSubstr("no process was named"));
}

TEST(Footprint, AddsUpATreeOrIsNotKnown) {
  FakeMachine machine;
  machine.processes = {{"text", 20}};
  auto values = ReadAll("footprint", machine, {Tree(1, 1)});
  EXPECT_EQ(values["text.pss"], 5 * 1024);
  EXPECT_EQ(values["text.swap"], 1024);
  Files hidden = Tree(1, 1);
  hidden.erase("/proc/21/smaps_rollup");
  EXPECT_EQ(ReadAll("footprint", machine, {hidden})["text.pss"], std::nullopt);
  EXPECT_EQ(ReadAll("footprint", machine, {Tree(1, 1), {}})["text.pss"], std::nullopt);
}

TEST(Disk, CountsWholeDevicesOnce) {
  const auto files = [](const char* read, const char* written) {
    const std::string counts = std::string(" 1 0 ") + read + " 0 2 0 " + written + " 0 0 0 0\n";
    return Files{
        {"/sys/block/sda/device/model", "x"},
        {"/sys/block/loop0/size", "1"},
        {"/proc/diskstats", "8 0 sda" + counts + "8 1 sda1" + counts + "7 0 loop0" + counts}};
  };
  auto values = ReadAll("disk", {files("10", "20"), files("14", "21")});
  EXPECT_EQ(values["read"], 4 * 512);
  EXPECT_EQ(values["write"], 512);
}

TEST(Network, LoopbackIsApart) {
  const auto files = [](int n) {
    return Files{{"/proc/net/dev",
                  fmt::format("Inter-|   Receive    |  Transmit\n face |bytes packets|bytes\n"
                              "    lo: {0} 1 0 0 0 0 0 0 {0} 1 0 0 0 0 0 0\n"
                              "  eth0:{1} 1 0 0 0 0 0 0 {2} 1 0 0 0 0 0 0\n",
                              n, 2 * n, 3 * n)}};
  };
  auto values = ReadAll("network", {files(100), files(200)});
  EXPECT_EQ(values["loopback"], 100);
  EXPECT_EQ(values["received"], 200);
  EXPECT_EQ(values["sent"], 300);
}

TEST(Cgroup, TheLowestLimitAboveCounts) {
  const std::string root = "/sys/fs/cgroup";
  const auto files = [&](const char* used, const char* throttled) {
    return Files{{"/proc/self/cgroup", "0::/user/app\n"},
                 {root + "/cgroup.controllers", "cpu memory"},
                 {root + "/user/cpu.max", "150000 100000\n"},
                 {root + "/user/app/cpu.max", "max 100000\n"},
                 {root + "/user/memory.max", "max\n"},
                 {root + "/user/app/memory.high", "4096\n"},
                 {root + "/user/app/memory.max", "8192\n"},
                 {root + "/user/app/memory.current", "1024\n"},
                 {root + "/user/app/cpu.stat",
                  std::string("usage_usec ") + used + "\nthrottled_usec " + throttled + "\n"}};
  };
  auto values = ReadAll("cgroup", {files("0", "0"), files("700000", "250000")});
  EXPECT_EQ(values, (Values{{"cpu_limit", 1.5},
                            {"memory_limit", 4096},
                            {"memory", 1024},
                            {"cpu", 0.7},
                            {"throttled", 0.25}}));
}

TEST(Cgroup, WithoutALimitThereIsNoSeriesOfIt) {
  const Files files = {{"/proc/self/cgroup", "4:memory:/x\n0::/\n"},
                       {"/sys/fs/cgroup/unified/cgroup.controllers", "cpu"},
                       {"/sys/fs/cgroup/unified/memory.current", "7"}};
  auto values = ReadAll("cgroup", {files});
  EXPECT_EQ(values.count("cpu_limit"), 0u);
  EXPECT_EQ(values["memory"], 7);
  FakeMachine machine;
  machine.files = {{"/proc/self/cgroup", "4:memory:/x\n"}};
  EXPECT_THAT(WhyNot("cgroup", machine), HasSubstr("version 2"));
}

TEST(Battery, PowerIsReadOrMadeOfCurrentAndVoltage) {
  const std::string supply = "/sys/class/power_supply/";
  const Files files = {{supply + "AC/type", "Mains\n"},
                       {supply + "BAT0/type", "Battery\n"},
                       {supply + "BAT0/capacity", "55\n"},
                       {supply + "BAT0/status", "Discharging\n"},
                       {supply + "BAT0/current_now", "2000000\n"},
                       {supply + "BAT0/voltage_now", "11000000\n"},
                       {supply + "BAT1/type", "Battery\n"},
                       {supply + "BAT1/status", "Charging\n"},
                       {supply + "BAT1/power_now", "-5000000\n"}};
  auto values = ReadAll("battery", {files});
  EXPECT_DOUBLE_EQ(*values["BAT0.charge"], 0.55);
  EXPECT_DOUBLE_EQ(*values["BAT0.power"], 22);
  EXPECT_EQ(values["BAT0.discharging"], 1);
  EXPECT_EQ(values["BAT1.charge"], std::nullopt);
  EXPECT_EQ(values["BAT1.power"], 5);
  EXPECT_EQ(values["BAT1.discharging"], 0);
}

}  // namespace
}  // namespace cbench::monitor
