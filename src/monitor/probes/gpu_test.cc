// Graphics cards: NVIDIA through a fake of the library's interface, and the library's calls
// through a table of fake functions; AMD through files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "monitor/gpu_metrics.h"
#include "monitor/nvml_abi.h"
#include "monitor/testing.h"

namespace cbench::monitor {
namespace {

using namespace monitor::testing;
using ::testing::HasSubstr;

class FakeNvml final : public Nvml {
 public:
  NvmlReading reading;
  std::optional<std::vector<NvmlProcess>> processes;
  bool gpm = false;

  int Count() const override { return 1; }
  std::string Name(int) const override { return "Fake 9000"; }
  NvmlReading Read(int) override { return reading; }
  std::optional<std::vector<NvmlProcess>> Processes(int) override { return processes; }
  bool HasGpm(int) override { return gpm; }
  GpmReading ReadGpm(int) override { return {0.5, 0.25, 0.1, std::nullopt, 1, 2}; }
};

TEST(Nvidia, WhatTheDriverDoesNotSayIsNull) {
  FakeMachine machine;
  machine.nvml = std::make_shared<FakeNvml>();
  for (const auto& [name, value] : ReadAll("nvidia", machine, {{}}))
    EXPECT_EQ(value, std::nullopt) << name;
  machine.nvml = nullptr;
  EXPECT_EQ(WhyNot("nvidia", machine), "no library");
  EXPECT_EQ(WhyNot("nvidia-gpm", machine), "no library");
}

TEST(Nvidia, ThrottleReasonsAreFlags) {
  FakeMachine machine;
  const auto nvml = std::make_shared<FakeNvml>();
  machine.nvml = nvml;
  nvml->reading.throttle = 0x04 | 0x40 | 0x01;
  nvml->reading.busy = 0;
  auto values = ReadAll("nvidia", machine, {{}});
  EXPECT_EQ(values["gpu0.throttled_power"], 1);
  EXPECT_EQ(values["gpu0.throttled_heat"], 1);
  EXPECT_EQ(values["gpu0.throttled_hardware"], 0);
  EXPECT_EQ(values["gpu0.busy"], 0) << "0 that was measured is 0";
}

TEST(Nvidia, MemoryIsAddedUpByWatchedProcess) {
  FakeMachine machine;
  machine.processes = {{"text", 20}, {"image", 30}};
  const auto nvml = std::make_shared<FakeNvml>();
  machine.nvml = nvml;
  nvml->processes = {{20, 100}, {20, 1}, {99, 7}};
  const Files files = {{"/proc/20/stat", "20 (x) R 1 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 5 9 9 9"}};
  auto values = ReadAll("nvidia", machine, {files});
  EXPECT_EQ(values["gpu0.text.memory"], 101);
  EXPECT_EQ(values["gpu0.image.memory"], 0);
  EXPECT_EQ(values["gpu0.other.memory"], 7);
  nvml->processes = {{20, std::nullopt}};
  EXPECT_EQ(ReadAll("nvidia", machine, {files})["gpu0.text.memory"], std::nullopt);
}

TEST(NvidiaGpm, IsThereWhereTheCardHasIt) {
  FakeMachine machine;
  const auto nvml = std::make_shared<FakeNvml>();
  machine.nvml = nvml;
  EXPECT_EQ(WhyNot("nvidia-gpm", machine), "Fake 9000 has no GPM: that came with Hopper");
  nvml->gpm = true;
  auto values = ReadAll("nvidia-gpm", machine, {{}});
  EXPECT_EQ(values["gpu0.sm_active"], 0.5);
  EXPECT_EQ(values["gpu0.dram_active"], std::nullopt);
}

// A library with one card, as the real one would answer.
namespace library {
using namespace nvml;
int handle = 0;
unsigned processes = 40;
Return init = kSuccess;
int gpm_samples = 0;

Return Init() { return init; }
const char* ErrorString(Return) { return "Driver/library version mismatch"; }
Return Count(unsigned* count) { return *count = 1, kSuccess; }
Return Handle(unsigned, Device* device) {
  *device = reinterpret_cast<Device>(&handle);
  return kSuccess;
}
Return Use(Device, Utilization* use) { return *use = {75, 30}, kSuccess; }
Return Memory(Device, MemoryV2* memory) {
  if (memory->version != 0x2000028) return 25;  // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
  memory->used = 1u << 30;
  return kSuccess;
}
Return Power(Device, unsigned* milliwatts) { return *milliwatts = 71500, kSuccess; }
Return Energy(Device, unsigned long long*) { return 3; }  // NVML_ERROR_NOT_SUPPORTED
Return Clock(Device, unsigned type, unsigned* mhz) {
  return *mhz = type == kClockSm ? 1980 : 2619, kSuccess;
}
Return Processes(Device, unsigned* count, ProcessInfo* infos) {
  const unsigned room = *count;
  *count = processes;
  if (room < processes) return kInsufficientSize;
  for (unsigned i = 0; i < processes; ++i) infos[i] = {100 + i, i == 0 ? ~0ull : 10ull, 0, 0};
  return kSuccess;
}
Return GpmSupported(Device, GpmSupport* support) {
  support->is_supported_device = support->version == kGpmVersion;
  return kSuccess;
}
Return GpmAlloc(GpmSample* sample) {
  ++gpm_samples;
  *sample = reinterpret_cast<GpmSample>(&handle);
  return kSuccess;
}
Return GpmFree(GpmSample) { return --gpm_samples, kSuccess; }
Return GpmGet(Device, GpmSample) { return kSuccess; }
Return GpmMetrics(GpmMetricsGet* get) {
  if (get->version != kGpmVersion || get->count != 6) return 2;  // NVML_ERROR_INVALID_ARGUMENT
  for (unsigned i = 0; i < get->count; ++i) {
    get->metrics[i].status = get->metrics[i].metric_id == 5 ? 3 : kSuccess;
    get->metrics[i].value = get->metrics[i].metric_id;
  }
  return kSuccess;
}

template <typename F>
void* Address(F* function) {
  return reinterpret_cast<void*>(function);
}
void* Symbol(const char* name) {
  static const std::map<std::string, void*> symbols = {
      {"nvmlInit_v2", Address(Init)},
      {"nvmlErrorString", Address(ErrorString)},
      {"nvmlDeviceGetCount_v2", Address(Count)},
      {"nvmlDeviceGetHandleByIndex_v2", Address(Handle)},
      {"nvmlDeviceGetUtilizationRates", Address(Use)},
      {"nvmlDeviceGetMemoryInfo_v2", Address(Memory)},
      {"nvmlDeviceGetPowerUsage", Address(Power)},
      {"nvmlDeviceGetTotalEnergyConsumption", Address(Energy)},
      {"nvmlDeviceGetClockInfo", Address(Clock)},
      {"nvmlDeviceGetComputeRunningProcesses_v3", Address(Processes)},
      {"nvmlGpmQueryDeviceSupport", Address(GpmSupported)},
      {"nvmlGpmSampleAlloc", Address(GpmAlloc)},
      {"nvmlGpmSampleFree", Address(GpmFree)},
      {"nvmlGpmSampleGet", Address(GpmGet)},
      {"nvmlGpmMetricsGet", Address(GpmMetrics)}};
  const auto found = symbols.find(name);
  return found == symbols.end() ? nullptr : found->second;
}
}  // namespace library

TEST(NvmlLibrary, UnitsAreOursAndMissingFunctionsAreNull) {
  const auto nvml = UseNvml(library::Symbol);
  ASSERT_TRUE(nvml);
  const NvmlReading reading = (*nvml)->Read(0);
  EXPECT_DOUBLE_EQ(*reading.busy, 0.75);
  EXPECT_DOUBLE_EQ(*reading.memory_busy, 0.3);
  EXPECT_EQ(reading.memory_used, 1073741824.0);
  EXPECT_DOUBLE_EQ(*reading.power, 71.5);
  EXPECT_EQ(reading.energy, std::nullopt) << "not supported";
  EXPECT_EQ(reading.sm_clock, 1.98e9);
  EXPECT_EQ(reading.memory_clock, 2.619e9);
  EXPECT_EQ(reading.temperature, std::nullopt) << "no such function";
  EXPECT_EQ(reading.throttle, std::nullopt);
  EXPECT_EQ((*nvml)->Name(0), "NVIDIA");
}

TEST(NvmlLibrary, ListsMoreProcessesThanExpected) {
  const auto nvml = UseNvml(library::Symbol);
  const auto processes = (*nvml)->Processes(0);
  ASSERT_TRUE(processes);
  ASSERT_EQ(processes->size(), 40u);
  EXPECT_EQ(processes->at(0).memory, std::nullopt);
  EXPECT_EQ(processes->at(39).pid, 139);
  EXPECT_EQ(processes->at(39).memory, 10);
}

TEST(NvmlLibrary, GpmComparesTwoReadings) {
  {
    const auto nvml = UseNvml(library::Symbol);
    ASSERT_TRUE((*nvml)->HasGpm(0));
    EXPECT_EQ((*nvml)->ReadGpm(0).sm_active, std::nullopt);
    const GpmReading reading = (*nvml)->ReadGpm(0);
    EXPECT_DOUBLE_EQ(*reading.sm_active, 0.02);
    EXPECT_DOUBLE_EQ(*reading.sm_occupancy, 0.03);
    EXPECT_EQ(reading.tensor_active, std::nullopt);
    EXPECT_DOUBLE_EQ(*reading.dram_active, 0.10);
    EXPECT_EQ(reading.pcie_tx, 20 * 1048576.0);
    EXPECT_EQ(library::gpm_samples, 2);
  }
  EXPECT_EQ(library::gpm_samples, 0);
}

TEST(NvmlLibrary, SaysWhyItCannotBeUsed) {
  library::init = 18;
  const auto mismatch = UseNvml(library::Symbol);
  library::init = nvml::kSuccess;
  ASSERT_FALSE(mismatch);
  EXPECT_EQ(mismatch.error().message, "nvmlInit: Driver/library version mismatch");
  const auto old = UseNvml([](const char*) -> void* { return nullptr; });
  EXPECT_THAT(old.error().message, HasSubstr("too old"));
}

// A table of `size` bytes, all ones but for the header and two-byte values at offsets.
std::string Table(std::size_t size, int format, int content,
                  const std::map<std::size_t, int>& values) {
  std::string bytes(size, '\xFF');
  bytes[2] = static_cast<char>(format);
  bytes[3] = static_cast<char>(content);
  for (const auto& [at, value] : values) {
    bytes[at] = static_cast<char>(value & 0xFF);
    bytes[at + 1] = static_cast<char>(value >> 8);
  }
  return bytes;
}

// Hot spot, shaders, socket power, shader clock.
std::string Metrics(int content) {
  return Table(120, 1, content, {{6, 71}, {16, 42}, {22, 180}, {54, 2450}});
}

TEST(GpuMetrics, OfProcessorsHaveTheirOwnUnits) {
  const auto apu2 =
      ParseGpuMetrics(Table(180, 2, 4, {{4, 5525}, {28, 5000}, {40, 21500}, {76, 800}}));
  ASSERT_TRUE(apu2);
  EXPECT_DOUBLE_EQ(*apu2->temperature, 55.25);
  EXPECT_DOUBLE_EQ(*apu2->busy, 0.5);
  EXPECT_DOUBLE_EQ(*apu2->power, 21.5);
  EXPECT_EQ(apu2->clock, 8e8);
  EXPECT_EQ(apu2->dram_read, std::nullopt);

  const auto apu3 = ParseGpuMetrics(Table(264, 3, 0,
                                          {{4, 6100},
                                           {42, 77},
                                           {94, 30000},
                                           {96, 5000},
                                           {112, 0xFDE8},
                                           {114, 0},
                                           {174, 2900},
                                           {186, 2800}}));
  ASSERT_TRUE(apu3);
  EXPECT_DOUBLE_EQ(*apu3->temperature, 61);
  EXPECT_DOUBLE_EQ(*apu3->busy, 0.77);
  EXPECT_DOUBLE_EQ(*apu3->power, 65);
  EXPECT_DOUBLE_EQ(*apu3->dram_read, 3e10);
  EXPECT_DOUBLE_EQ(*apu3->dram_write, 5e9);
  EXPECT_EQ(apu3->memory_clock, 2.8e9);
  EXPECT_EQ(apu3->memory_busy, std::nullopt);
}

TEST(GpuMetrics, ReadsKnownLayoutsOnly) {
  const auto metrics = ParseGpuMetrics(Metrics(3));
  ASSERT_TRUE(metrics);
  EXPECT_DOUBLE_EQ(*metrics->busy, 0.42);
  EXPECT_EQ(metrics->memory_busy, std::nullopt);
  EXPECT_EQ(metrics->power, 180);
  EXPECT_EQ(metrics->temperature, 71);
  EXPECT_EQ(metrics->clock, 2.45e9);
  EXPECT_FALSE(ParseGpuMetrics(Metrics(4)));
  EXPECT_FALSE(ParseGpuMetrics(Table(180, 2, 3, {})));
  EXPECT_FALSE(ParseGpuMetrics(Table(187, 3, 0, {})));
  EXPECT_FALSE(ParseGpuMetrics(Metrics(3).substr(0, 60)));
  EXPECT_FALSE(ParseGpuMetrics(""));
}

TEST(Amd, CardsAreThoseOfTheVendorAndNotTheirConnectors) {
  const std::string drm = "/sys/class/drm/";
  const Files files = {{drm + "card0/device/vendor", "0x8086\n"},
                       {drm + "card1/device/vendor", "0x1002\n"},
                       {drm + "card1/device/gpu_busy_percent", "17\n"},
                       {drm + "card1/device/mem_info_vram_used", "2048\n"},
                       {drm + "card1/device/gpu_metrics", Metrics(3)},
                       {drm + "card1-HDMI-A-1/device/vendor", "0x1002\n"}};
  auto values = ReadAll("amd", {files});
  EXPECT_EQ(values.size(), 10u);
  EXPECT_DOUBLE_EQ(*values["card1.busy"], 0.17);
  EXPECT_EQ(values["card1.memory"], 2048);
  EXPECT_EQ(values["card1.shared_memory"], std::nullopt);
  EXPECT_EQ(values["card1.power"], 180);
}

}  // namespace
}  // namespace cbench::monitor
