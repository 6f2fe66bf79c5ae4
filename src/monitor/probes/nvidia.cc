// NVIDIA cards, from NVML. `busy` is the share of time in which any kernel ran, however small: it
// is not how much of the card was used (see nvidia-gpm for that). The driver renews these values
// by its own clock, mostly 10 times a second, `busy` and `memory_busy` more slowly.
//
// Memory by process is summed by watched process and its descendants; what others hold is
// `other.memory`. Inside a container the driver may name processes by numbers of outside; then
// all of it is `other`.
#include "monitor/fields.h"
#include "monitor/nvml.h"
#include "monitor/probe.h"
#include "monitor/process_tree.h"

namespace cbench::monitor {
namespace {

constexpr Nanos kProcessPeriod = 500 * kMillisecond;
constexpr Nanos kRefreshPeriod = 2 * kSecond;

class NvidiaProbe final : public Probe {
 public:
  NvidiaProbe(const System& system, std::shared_ptr<Nvml> nvml)
      : system_(system), nvml_(std::move(nvml)), tree_(system) {}

  void Read(Reading& out) override {
    const bool processes = out.t() >= next_processes_;
    if (processes) next_processes_ = out.t() + kProcessPeriod;
    if (out.t() >= next_refresh_) {
      tree_.Refresh();
      next_refresh_ = out.t() + kRefreshPeriod;
    }
    for (int device = 0; device < nvml_->Count(); ++device) {
      const std::string card = fmt::format("gpu{}.", device);
      AddValues(card, nvml_->Read(device), out);
      if (processes) AddProcesses(card, nvml_->Processes(device), out);
    }
  }

 private:
  static void AddValues(const std::string& card, const NvmlReading& reading, Reading& out) {
    out.Add(card + "busy", "ratio", reading.busy);
    out.Add(card + "memory_busy", "ratio", reading.memory_busy);
    out.Add(card + "memory", "bytes", reading.memory_used);
    out.Add(card + "power", "W", reading.power);
    out.Add(card + "energy", "J", reading.energy);
    out.Add(card + "sm_clock", "Hz", reading.sm_clock);
    out.Add(card + "memory_clock", "Hz", reading.memory_clock);
    out.Add(card + "temperature", "°C", reading.temperature);
    AddThrottle(card, reading.throttle, out);
  }

  static void AddThrottle(const std::string& card, std::optional<std::uint64_t> bits,
                          Reading& out) {
    const auto flag = [&bits](std::uint64_t mask) {
      return bits ? std::optional((*bits & mask) != 0 ? 1.0 : 0.0) : std::nullopt;
    };
    out.Add(card + "throttled_power", "bool", flag(kNvmlThrottlePower));
    out.Add(card + "throttled_heat", "bool", flag(kNvmlThrottleHeat));
    out.Add(card + "throttled_hardware", "bool", flag(kNvmlThrottleHardware));
  }

  void AddProcesses(const std::string& card,
                    const std::optional<std::vector<NvmlProcess>>& processes, Reading& out) const {
    const std::size_t watched = system_.processes.size();
    std::vector<std::optional<double>> memory(watched + 1);
    if (processes) memory.assign(watched + 1, 0.0);
    for (const auto& process : processes.value_or(std::vector<NvmlProcess>())) {
      const int owner = tree_.OwnerOf(process.pid);
      auto& sum = memory[owner < 0 ? watched : static_cast<std::size_t>(owner)];
      sum = sum && process.memory ? std::optional(*sum + *process.memory) : std::nullopt;
    }
    for (std::size_t i = 0; i <= watched; ++i) {
      const std::string name = i < watched ? system_.processes[i].name : "other";
      out.Add(card + name + ".memory", "bytes", memory[i]);
    }
  }

  const System system_;
  const std::shared_ptr<Nvml> nvml_;
  ProcessTree tree_;
  Nanos next_processes_ = 0, next_refresh_ = 0;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  CBENCH_ASSIGN(auto nvml, system.nvml());
  return std::make_unique<NvidiaProbe>(system, std::move(nvml));
}

}  // namespace

extern const ProbeDescriptor kNvidiaProbe;
const ProbeDescriptor kNvidiaProbe = {"nvidia", "NVIDIA cards: use, memory, power, clocks, heat",
                                      100 * kMillisecond, true, Make};

}  // namespace cbench::monitor
