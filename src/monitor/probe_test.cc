// Every probe is fed strings instead of /proc, and one missing file each.
#include "monitor/probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace cbench::monitor {
namespace {

using Files = std::map<std::string, std::string>;

// Reads `name`'s probe once per set of files, one second apart; the last reading's values.
std::map<std::string, std::optional<double>> ReadAll(const std::string& name,
                                                     const std::vector<Files>& instants) {
  Files files;
  std::unique_ptr<Probe> probe;
  for (const auto* descriptor : Probes()) {
    if (descriptor->name != name) continue;
    probe = descriptor->make([&files](const std::string& path) -> std::optional<std::string> {
      const auto file = files.find(path);
      if (file == files.end()) return std::nullopt;
      return file->second;
    });
  }
  std::vector<record::Sample> samples;
  Nanos now = kSecond;
  for (const auto& instant : instants) {
    files = instant;
    samples.clear();
    probe->Read(now, samples);
    now += kSecond;
  }
  std::map<std::string, std::optional<double>> values;
  for (const auto& sample : samples) values[sample.name] = sample.value;
  return values;
}

TEST(Probes, NamesAreUniqueAndDescribed) {
  std::set<std::string> names;
  for (const auto* probe : Probes()) {
    EXPECT_TRUE(names.insert(probe->name).second) << probe->name;
    EXPECT_STRNE(probe->summary, "");
  }
}

TEST(Probes, CpuIsBusyShareBetweenTwoReadings) {
  const Files first = {{"/proc/stat", "cpu 100 0 100 700 100 0 0 0 0 0\ncpu0 1 2 3\n"}};
  const Files second = {{"/proc/stat", "cpu 130 0 110 750 110 0 0 0 0 0\n"}};
  EXPECT_EQ(ReadAll("cpu", {first})["busy"], std::nullopt);
  EXPECT_DOUBLE_EQ(*ReadAll("cpu", {first, second})["busy"], 0.4);
  EXPECT_EQ(ReadAll("cpu", {first, {}})["busy"], std::nullopt);
}

TEST(Probes, MemoryIsInBytes) {
  const Files files = {
      {"/proc/meminfo", "MemTotal: 9 kB\nMemAvailable: 4 kB\nSwapTotal: 3 kB\nSwapFree: 1 kB\n"}};
  auto values = ReadAll("memory", {files});
  EXPECT_EQ(values["available"], 4096.0);
  EXPECT_EQ(values["swap_used"], 2048.0);
  EXPECT_EQ(ReadAll("memory", {{}})["available"], std::nullopt);
}

TEST(Probes, PressureIsShareOfTime) {
  const auto files = [](const std::string& total) {
    return Files{
        {"/proc/pressure/cpu", "some avg10=1.00 avg60=0.00 avg300=0.00 total=" + total + "\n"}};
  };
  auto values = ReadAll("pressure", {files("1000"), files("251000")});
  EXPECT_DOUBLE_EQ(*values["cpu_some"], 0.25);
  EXPECT_EQ(values["io_some"], std::nullopt);
}

}  // namespace
}  // namespace cbench::monitor
