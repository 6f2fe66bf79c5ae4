// CPU, frequency, pressure, energy, heat and memory controllers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "monitor/testing.h"
#include "monitor/uncore.h"

namespace cbench::monitor {
namespace {

using namespace monitor::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::UnorderedElementsAre;

Files Stat(const std::string& text) { return {{"/proc/stat", text}}; }

TEST(Cpu, SharesAreOfTheTicksBetweenTwoReadings) {
  const Files first = Stat("cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 2 3\n");
  const Files second = Stat("cpu  120 0 110 750 110 0 0 10 0 0\n");
  EXPECT_EQ(ReadAll("cpu", {first})["busy"], std::nullopt);
  auto values = ReadAll("cpu", {first, second});
  EXPECT_DOUBLE_EQ(*values["busy"], 0.4);
  EXPECT_DOUBLE_EQ(*values["iowait"], 0.1);
  EXPECT_DOUBLE_EQ(*values["steal"], 0.1);
}

TEST(Cpu, WhatCannotBeReadOrMakesNoSenseIsNull) {
  const Files good = Stat("cpu 100 0 100 700 100 0 0 0 0 0\n");
  for (const char* text : {"", "cpu 1 2 3\n", "cpu a b c d e f g h\n", "intr 1 2 3 4 5 6 7 8 9\n",
                           "cpu 90 0 90 690 90 0 0 0 0 0\n", "cpu 100 0 100 700 100 0 0 0 0 0\n"}) {
    EXPECT_EQ(ReadAll("cpu", {good, Stat(text)})["busy"], std::nullopt) << text;
  }
  EXPECT_EQ(ReadAll("cpu", {good, {}})["busy"], std::nullopt);
  // The kernel's iowait may fall.
  auto values = ReadAll("cpu", {good, Stat("cpu 150 0 100 700 90 0 0 0 0 0\n")});
  EXPECT_EQ(values["iowait"], std::nullopt);
}

TEST(Cores, EachOneHasASeriesAndOneThatGoesOfflineIsNull) {
  const Files both =
      Stat("cpu 9 9 9 9 9 9 9 9\ncpu0 10 0 0 90 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\nintr 5\n");
  const Files one = Stat("cpu 9 9 9 9 9 9 9 9\ncpu0 40 0 0 160 0 0 0 0 0 0\nintr 5\n");
  auto values = ReadAll("cores", {both, one});
  EXPECT_THAT(values, UnorderedElementsAre(Key("core0"), Key("core1")));
  EXPECT_DOUBLE_EQ(*values["core0"], 0.3);
  EXPECT_EQ(values["core1"], std::nullopt);
}

TEST(Frequency, IsInHertzAndLeavesOutCoresThatAreOff) {
  const std::string cpu = "/sys/devices/system/cpu/cpu";
  const Files files = {{cpu + "0/cpufreq/scaling_cur_freq", "1200000\n"},
                       {cpu + "1/cpufreq/scaling_cur_freq", "3600000\n"},
                       {cpu + "freq/policy0/x", ""}};
  auto values = ReadAll("frequency", {files});
  EXPECT_EQ(values["min"], 1.2e9);
  EXPECT_EQ(values["mean"], 2.4e9);
  EXPECT_EQ(values["max"], 3.6e9);
  Files off = files;
  off.erase(cpu + "0/cpufreq/scaling_cur_freq");
  EXPECT_EQ(ReadAll("frequency", {files, off})["mean"], 3.6e9);
  EXPECT_EQ(ReadAll("frequency", {files, {}})["mean"], std::nullopt);
}

TEST(Pressure, IsShareOfTimeAndFullIsApart) {
  const auto files = [](const std::string& some, const std::string& full) {
    const std::string averages = " avg10=1.00 avg60=0.00 avg300=0.00 total=";
    return Files{{"/proc/pressure/cpu", "some" + averages + some + "\nfull" + averages + "0\n"},
                 {"/proc/pressure/memory", "some" + averages + some + "\nfull" + averages + full}};
  };
  auto values = ReadAll("pressure", {files("1000", "0"), files("251000", "125000")});
  EXPECT_DOUBLE_EQ(*values["cpu_some"], 0.25);
  EXPECT_DOUBLE_EQ(*values["memory_some"], 0.25);
  EXPECT_DOUBLE_EQ(*values["memory_full"], 0.125);
  EXPECT_EQ(values["io_some"], std::nullopt);
  EXPECT_EQ(values.count("cpu_full"), 0u);
}

Files Rapl(const std::string& package, const std::string& core) {
  const std::string zones = "/sys/class/powercap/intel-rapl:0";
  return {{zones + "/name", "package-0\n"},
          {zones + "/energy_uj", package},
          {zones + "/max_energy_range_uj", "10000000\n"},
          {zones + ":1/name", "core\n"},
          {zones + ":1/energy_uj", core},
          {zones + ":1/max_energy_range_uj", "10000000\n"},
          {"/sys/class/powercap/intel-rapl-mmio:0/energy_uj", "5"},
          {"/sys/class/powercap/intel-rapl/enabled", "1"}};
}

TEST(Rapl, CountsJoulesOverTheWrapAround) {
  auto values = ReadAll("rapl", {Rapl("9000000\n", "0\n"), Rapl("2000000\n", "500000\n")});
  EXPECT_THAT(values,
              UnorderedElementsAre(Key("package-0.energy"), Key("package-0.power"),
                                   Key("package-0.core.energy"), Key("package-0.core.power")));
  EXPECT_DOUBLE_EQ(*values["package-0.energy"], 3);
  EXPECT_DOUBLE_EQ(*values["package-0.power"], 3);
  EXPECT_DOUBLE_EQ(*values["package-0.core.power"], 0.5);
}

TEST(Rapl, AGapIsNullAndItsEnergyIsNotLost) {
  const Files gap = Rapl("", "");
  auto values = ReadAll("rapl", {Rapl("1000000", "0"), gap});
  EXPECT_EQ(values["package-0.energy"], std::nullopt);
  values = ReadAll("rapl", {Rapl("1000000", "0"), gap, Rapl("5000000", "0")});
  EXPECT_DOUBLE_EQ(*values["package-0.energy"], 4);
  EXPECT_EQ(values["package-0.power"], std::nullopt);
}

TEST(Rapl, SaysWhetherItIsHiddenOrAbsent) {
  FakeMachine machine;
  EXPECT_THAT(WhyNot("rapl", machine), HasSubstr("no RAPL"));
  machine.files = Rapl("1", "1");
  machine.files.erase("/sys/class/powercap/intel-rapl:0/energy_uj");
  machine.files.erase("/sys/class/powercap/intel-rapl:0:1/energy_uj");
  EXPECT_THAT(WhyNot("rapl", machine), HasSubstr("only be read by root"));
}

TEST(Thermal, ZonesOfOneTypeAreToldApart) {
  const std::string zone = "/sys/class/thermal/thermal_zone";
  const Files files = {
      {zone + "0/type", "acpitz\n"},  {zone + "0/temp", "27800\n"},
      {zone + "1/type", "acpitz\n"},  {zone + "1/temp", "-5000\n"},
      {zone + "2/type", "iwlwifi\n"}, {"/sys/class/thermal/cooling_device0/x", "1"}};
  auto values = ReadAll("thermal", {files});
  EXPECT_EQ(values.size(), 2u) << "zone2 reads nothing";
  EXPECT_DOUBLE_EQ(*values["zone0.acpitz"], 27.8);
  EXPECT_DOUBLE_EQ(*values["zone1.acpitz"], -5);
}

TEST(Hwmon, SensorsHaveTheirChipsNameAndLabel) {
  const std::string chip = "/sys/class/hwmon/hwmon";
  const Files files = {{chip + "0/name", "nvme\n"},
                       {chip + "0/temp1_input", "41850\n"},
                       {chip + "0/temp1_label", "Composite\n"},
                       {chip + "0/temp1_max", "84850\n"},
                       {chip + "1/name", "nvme\n"},
                       {chip + "1/temp1_input", "39000"},
                       {chip + "2/name", "amdgpu\n"},
                       {chip + "2/power1_average", "12000000"},
                       {chip + "2/fan1_input", "1500"},
                       {chip + "2/temp2_input", "not now"}};
  std::map<std::string, std::string> units;
  FakeMachine machine;
  machine.files = files;
  auto values = ReadAt(**MakeProbe("hwmon", machine), kSecond, &units);
  EXPECT_EQ(values, (Values{{"nvme.Composite", 41.85},
                            {"nvme#2.temp1", 39},
                            {"amdgpu.power1", 12},
                            {"amdgpu.fan1", 1500}}));
  EXPECT_EQ(units["amdgpu.power1"], "W");
  EXPECT_EQ(units["nvme#2.temp1"], "°C");
}

TEST(Throttle, CountsEventsSinceTheFirstReading) {
  const auto files = [](const char* core0, const char* core1, const char* package) {
    const std::string cpu = "/sys/devices/system/cpu/cpu";
    return Files{{cpu + "0/thermal_throttle/core_throttle_count", core0},
                 {cpu + "0/thermal_throttle/package_throttle_count", package},
                 {cpu + "1/thermal_throttle/core_throttle_count", core1},
                 {cpu + "1/thermal_throttle/package_throttle_count", package}};
  };
  auto values = ReadAll("throttle", {files("3", "4", "10"), files("5", "5", "11")});
  EXPECT_EQ(values["core_events"], 3);
  EXPECT_EQ(values["package_events"], 1);
  EXPECT_EQ(ReadAll("throttle", {files("3", "4", "10"), {}})["core_events"], std::nullopt);
}

// Counts by itself: each reading is one step further.
class FakeCounter final : public PerfCounter {
 public:
  explicit FakeCounter(std::vector<std::optional<std::uint64_t>> values)
      : values_(std::move(values)) {}
  std::optional<std::uint64_t> Read() override { return values_.at(next_++); }

 private:
  const std::vector<std::optional<std::uint64_t>> values_;
  std::size_t next_ = 0;
};

Files ServerImc() {
  const std::string pmu = "/sys/bus/event_source/devices/uncore_imc_0/";
  return {{pmu + "type", "14\n"},
          {pmu + "cpumask", "0,28\n"},
          {pmu + "format/event", "config:0-7\n"},
          {pmu + "format/umask", "config:8-15\n"},
          {pmu + "events/cas_count_read", "event=0x04,umask=0x03\n"},
          {pmu + "events/cas_count_read.scale", "6.103515625e-5\n"},
          {pmu + "events/cas_count_read.unit", "MiB\n"},
          {pmu + "events/cas_count_write", "event=0x04,umask=0x0c\n"},
          {pmu + "events/cas_count_write.scale", "6.103515625e-5\n"},
          {pmu + "events/cas_count_write.unit", "MiB\n"}};
}

TEST(Dram, AddsUpTheSocketsControllers) {
  FakeMachine machine;
  std::vector<PerfEvent> opened;
  machine.perf = [&](const PerfEvent& event) -> Result<std::unique_ptr<PerfCounter>> {
    opened.push_back(event);
    using Counts = std::vector<std::optional<std::uint64_t>>;
    return std::make_unique<FakeCounter>(event.config == 0x304 ? Counts{0, 1000, 2000}
                                                               : Counts{0, 500, std::nullopt});
  };
  machine.files = ServerImc();
  const auto probe = MakeProbe("dram", machine);
  ASSERT_TRUE(probe);
  ASSERT_EQ(opened.size(), 4u);
  EXPECT_EQ(opened[0].type, 14u);
  EXPECT_EQ(opened[1].cpu, 28);
  EXPECT_EQ(opened[2].config, 0xc04u);
  EXPECT_EQ(ReadAt(**probe, kSecond)["read"], std::nullopt);
  auto values = ReadAt(**probe, 2 * kSecond);
  EXPECT_DOUBLE_EQ(*values["read"], 2 * 1000 * 64);
  EXPECT_DOUBLE_EQ(*values["write"], 2 * 500 * 64);
  values = ReadAt(**probe, 3 * kSecond);
  EXPECT_DOUBLE_EQ(*values["read"], 2 * 1000 * 64);
  EXPECT_EQ(values["write"], std::nullopt) << "did not count all the time";
}

TEST(Dram, SaysWhatWouldAllowIt) {
  FakeMachine machine;
  EXPECT_THAT(WhyNot("dram", machine), HasSubstr("no uncore_imc"));
  machine.files = ServerImc();
  EXPECT_THAT(WhyNot("dram", machine), HasSubstr("perf_event_paranoid"));
}

TEST(Uncore, WhatIsNotUnderstoodIsNotGuessed) {
  const std::string pmu = "/sys/bus/event_source/devices/uncore_imc_0";
  for (const auto& [path, text] : Files{{"/format/umask", "config1:0-7"},
                                        {"/format/event", "config:60-70"},
                                        {"/events/cas_count_read", "event=x"},
                                        {"/events/cas_count_read.unit", "furlongs"},
                                        {"/cpumask", "a-b"},
                                        {"/type", ""}}) {
    FakeMachine machine;
    machine.files = ServerImc();
    EXPECT_TRUE(FindUncoreEvent(machine.system(), pmu, {"data_read", "cas_count_read"}));
    machine.files[pmu + path] = text;
    EXPECT_FALSE(FindUncoreEvent(machine.system(), pmu, {"data_read", "cas_count_read"})) << path;
  }
  EXPECT_THAT(ParseCpuList("0-2,8\n"), ElementsAre(0, 1, 2, 8));
}

}  // namespace
}  // namespace cbench::monitor
