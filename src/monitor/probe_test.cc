// What holds for every probe. Each probe's own cases are in probes/*_test.cc.
#include "monitor/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "monitor/testing.h"

namespace cbench::monitor {
namespace {

using namespace monitor::testing;

TEST(Probes, NamesAreUniqueAndDescribed) {
  std::set<std::string> names;
  for (const auto* probe : Probes()) {
    EXPECT_TRUE(names.insert(probe->name).second) << probe->name;
    EXPECT_STRNE(probe->summary, "");
    EXPECT_GE(probe->period, kMillisecond) << probe->name;
  }
}

TEST(Probes, EveryFileOfTheFolderIsListedAndDocumented) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(CBENCH_SOURCE_DIR "/src/monitor/probes")) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".cc") && !name.ends_with("_test.cc")) ++files;
  }
  EXPECT_EQ(Probes().size(), files);
  const auto document = OpenReal(CBENCH_SOURCE_DIR "/docs/monitor.md");
  ASSERT_TRUE(document);
  for (const auto* probe : Probes())
    EXPECT_THAT(*document, ::testing::HasSubstr(fmt::format("\n| `{}` |", probe->name)));
}

TEST(Probes, OnAnEmptyMachineEachSaysWhyItIsNotThere) {
  for (const auto* probe : Probes()) EXPECT_NE(WhyNot(probe->name, FakeMachine()), "");
}

TEST(Probes, OnThisMachineEachReadsTwiceOrSaysWhyNot) {
  for (const auto* descriptor : Probes()) {
    const auto probe = descriptor->make(RealSystem({{"self", getpid()}}));
    if (!probe) {
      EXPECT_NE(probe.error().message, "") << descriptor->name;
      continue;
    }
    std::map<std::string, std::string> units;
    EXPECT_FALSE(ReadAt(**probe, kSecond, &units).empty()) << descriptor->name;
    ReadAt(**probe, 2 * kSecond);
    for (const auto& [name, unit] : units) EXPECT_NE(unit, "") << descriptor->name << name;
  }
}

TEST(System, ListsInTheOrderOfNumbers) {
  const auto names = ListReal("/proc/self/task");
  EXPECT_FALSE(names.empty());
  EXPECT_TRUE(ListReal("/nowhere").empty());
  EXPECT_EQ(OpenReal("/nowhere"), std::nullopt);
  EXPECT_EQ(OpenReal("/proc"), std::nullopt) << "a directory";
}

}  // namespace
}  // namespace cbench::monitor
