// The library stays loaded to the program's end and is never shut down: a call that hangs in the
// driver may still be inside it, on a thread that was given up (see sampler.h).
#include "monitor/nvml.h"

#include <dlfcn.h>

#include <array>

#include "monitor/nvml_abi.h"

namespace cbench::monitor {
namespace {

using namespace nvml;

constexpr std::size_t kMaxProcesses = 4096;

template <typename F>
bool Find(const SymbolLookup& symbol, const char* name, F& function) {
  function = reinterpret_cast<F>(symbol(name));
  return function != nullptr;
}

#define CBENCH_NVML(name) Find(symbol, "nvml" #name, f.name)
// False if one of those that everything needs is missing.
bool Load(const SymbolLookup& symbol, Functions& f) {
  CBENCH_NVML(ErrorString);
  CBENCH_NVML(DeviceGetName);
  CBENCH_NVML(DeviceGetUtilizationRates);
  CBENCH_NVML(DeviceGetMemoryInfo_v2);
  CBENCH_NVML(DeviceGetPowerUsage);
  CBENCH_NVML(DeviceGetTotalEnergyConsumption);
  CBENCH_NVML(DeviceGetClockInfo);
  CBENCH_NVML(DeviceGetTemperature);
  CBENCH_NVML(DeviceGetCurrentClocksThrottleReasons);
  CBENCH_NVML(DeviceGetComputeRunningProcesses_v3);
  CBENCH_NVML(DeviceGetGraphicsRunningProcesses_v3);
  CBENCH_NVML(GpmQueryDeviceSupport);
  CBENCH_NVML(GpmSampleAlloc);
  CBENCH_NVML(GpmSampleFree);
  CBENCH_NVML(GpmSampleGet);
  CBENCH_NVML(GpmMetricsGet);
  return CBENCH_NVML(Init_v2) && CBENCH_NVML(DeviceGetCount_v2) &&
         CBENCH_NVML(DeviceGetHandleByIndex_v2);
}
#undef CBENCH_NVML

// What a function that fills in one value says; nothing if it is missing or fails.
template <typename T>
std::optional<double> Ask(Return (*function)(Device, T*), Device device) {
  T value{};
  if (!function || function(device, &value) != kSuccess) return std::nullopt;
  return static_cast<double>(value);
}
std::optional<double> Ask(Return (*function)(Device, unsigned, unsigned*), Device device,
                          unsigned which) {
  unsigned value = 0;
  if (!function || function(device, which, &value) != kSuccess) return std::nullopt;
  return value;
}

std::optional<double> Times(std::optional<double> value, double factor) {
  if (value) *value *= factor;
  return value;
}

struct GpmState {
  GpmSample last = nullptr, now = nullptr;
  bool started = false;
};

class Library final : public Nvml {
 public:
  Library(const Functions& functions, std::vector<Device> devices)
      : f_(functions), devices_(std::move(devices)), gpm_(devices_.size()) {}

  ~Library() override {
    for (const GpmState& gpm : gpm_) {
      if (gpm.last) f_.GpmSampleFree(gpm.last);
      if (gpm.now) f_.GpmSampleFree(gpm.now);
    }
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  int Count() const override { return static_cast<int>(devices_.size()); }

  std::string Name(int device) const override {
    std::array<char, 96> name{};
    if (!f_.DeviceGetName || f_.DeviceGetName(At(device), name.data(), name.size() - 1) != kSuccess)
      return "NVIDIA";
    return name.data();
  }

  NvmlReading Read(int index) override {
    const Device device = At(index);
    NvmlReading reading;
    ReadUse(device, reading);
    reading.power = Times(Ask(f_.DeviceGetPowerUsage, device), 1e-3);
    reading.energy = Times(Ask(f_.DeviceGetTotalEnergyConsumption, device), 1e-3);
    reading.sm_clock = Times(Ask(f_.DeviceGetClockInfo, device, kClockSm), 1e6);
    reading.memory_clock = Times(Ask(f_.DeviceGetClockInfo, device, kClockMemory), 1e6);
    reading.temperature = Ask(f_.DeviceGetTemperature, device, kTemperatureGpu);
    unsigned long long throttle = 0;
    if (f_.DeviceGetCurrentClocksThrottleReasons &&
        f_.DeviceGetCurrentClocksThrottleReasons(device, &throttle) == kSuccess)
      reading.throttle = throttle;
    return reading;
  }

  std::optional<std::vector<NvmlProcess>> Processes(int device) override {
    std::vector<NvmlProcess> processes;
    const bool compute = List(f_.DeviceGetComputeRunningProcesses_v3, At(device), processes);
    const bool graphics = List(f_.DeviceGetGraphicsRunningProcesses_v3, At(device), processes);
    if (!compute && !graphics) return std::nullopt;
    return processes;
  }

  bool HasGpm(int device) override {
    GpmSupport support{kGpmVersion, 0};
    if (!f_.GpmQueryDeviceSupport || !f_.GpmSampleAlloc || !f_.GpmSampleFree || !f_.GpmSampleGet ||
        !f_.GpmMetricsGet)
      return false;
    return f_.GpmQueryDeviceSupport(At(device), &support) == kSuccess &&
           support.is_supported_device != 0;
  }

  GpmReading ReadGpm(int device) override {
    GpmState& gpm = gpm_[static_cast<std::size_t>(device)];
    if (!gpm.now &&
        (f_.GpmSampleAlloc(&gpm.now) != kSuccess || f_.GpmSampleAlloc(&gpm.last) != kSuccess))
      return {};
    std::swap(gpm.last, gpm.now);
    const bool had_last = gpm.started;
    gpm.started = f_.GpmSampleGet(At(device), gpm.now) == kSuccess;
    return had_last && gpm.started ? Compare(gpm) : GpmReading{};
  }

 private:
  Device At(int device) const { return devices_[static_cast<std::size_t>(device)]; }

  void ReadUse(Device device, NvmlReading& reading) const {
    Utilization use{};
    if (f_.DeviceGetUtilizationRates && f_.DeviceGetUtilizationRates(device, &use) == kSuccess) {
      reading.busy = use.gpu * 0.01;
      reading.memory_busy = use.memory * 0.01;
    }
    MemoryV2 memory{};
    memory.version = kMemoryV2;
    if (f_.DeviceGetMemoryInfo_v2 && f_.DeviceGetMemoryInfo_v2(device, &memory) == kSuccess)
      reading.memory_used = static_cast<double>(memory.used);
  }

  // A process may come between asking how many there are and asking for them: some room.
  static bool List(Return (*function)(Device, unsigned*, ProcessInfo*), Device device,
                   std::vector<NvmlProcess>& processes) {
    if (!function) return false;
    std::vector<ProcessInfo> infos(32);
    unsigned count = static_cast<unsigned>(infos.size());
    Return status = function(device, &count, infos.data());
    if (status == kInsufficientSize && count < kMaxProcesses) {
      infos.resize(count + 32);
      count = static_cast<unsigned>(infos.size());
      status = function(device, &count, infos.data());
    }
    if (status != kSuccess || count > infos.size()) return false;
    infos.resize(count);
    for (const ProcessInfo& info : infos) {
      NvmlProcess process{static_cast<int>(info.pid), std::nullopt};
      if (info.used_gpu_memory != ~0ull) process.memory = static_cast<double>(info.used_gpu_memory);
      processes.push_back(process);
    }
    return true;
  }

  GpmReading Compare(const GpmState& gpm) {
    struct Wanted {
      unsigned id;  // NVML_GPM_METRIC_…
      std::optional<double> GpmReading::* value;
      double factor;
    };
    constexpr double kPercent = 0.01, kMiB = 1048576;
    constexpr std::array<Wanted, 6> kWanted = {{{2, &GpmReading::sm_active, kPercent},
                                                {3, &GpmReading::sm_occupancy, kPercent},
                                                {5, &GpmReading::tensor_active, kPercent},
                                                {10, &GpmReading::dram_active, kPercent},
                                                {20, &GpmReading::pcie_tx, kMiB},
                                                {21, &GpmReading::pcie_rx, kMiB}}};
    GpmMetricsGet& get = *request_;
    get.version = kGpmVersion;
    get.count = kWanted.size();
    get.sample1 = gpm.last;
    get.sample2 = gpm.now;
    for (std::size_t i = 0; i < kWanted.size(); ++i)
      get.metrics[i] = {kWanted[i].id, -1, 0, {}, {}, {}};
    GpmReading reading;
    if (f_.GpmMetricsGet(&get) != kSuccess) return reading;
    for (std::size_t i = 0; i < kWanted.size(); ++i) {
      if (get.metrics[i].status == kSuccess)
        reading.*kWanted[i].value = get.metrics[i].value * kWanted[i].factor;
    }
    return reading;
  }

  const Functions f_;
  const std::vector<Device> devices_;
  std::vector<GpmState> gpm_;
  const std::unique_ptr<GpmMetricsGet> request_ = std::make_unique<GpmMetricsGet>();  // 20 KiB
};

}  // namespace

Result<std::shared_ptr<Nvml>> UseNvml(const SymbolLookup& symbol) {
  Functions f{};
  if (!Load(symbol, f)) return Failure("libnvidia-ml.so.1 is too old: functions are missing");
  const auto fail = [&f](const char* what, Return status) {
    const char* why = f.ErrorString ? f.ErrorString(status) : nullptr;
    return Failure("{}: {}", what, why ? why : fmt::to_string(status).c_str());
  };
  if (const Return status = f.Init_v2(); status != kSuccess) return fail("nvmlInit", status);
  unsigned count = 0;
  if (const Return status = f.DeviceGetCount_v2(&count); status != kSuccess)
    return fail("nvmlDeviceGetCount", status);
  std::vector<Device> devices;
  for (unsigned i = 0; i < count; ++i) {
    Device device = nullptr;
    if (f.DeviceGetHandleByIndex_v2(i, &device) == kSuccess) devices.push_back(device);
  }
  if (devices.empty()) return Failure("NVIDIA's driver is installed but there is no card");
  return std::make_shared<Library>(f, std::move(devices));
}

Result<std::shared_ptr<Nvml>> OpenNvml() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return Failure("libnvidia-ml.so.1 is not there: no NVIDIA driver is installed");
  return UseNvml([library](const char* name) { return dlsym(library, name); });
}

}  // namespace cbench::monitor
