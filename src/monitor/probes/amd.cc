// AMD cards, from amdgpu's files in sysfs (kernel documentation, gpu/amdgpu/thermal): how busy,
// memory in use, and power, heat and clocks from `gpu_metrics`.
#include "monitor/fields.h"
#include "monitor/gpu_metrics.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

constexpr char kCards[] = "/sys/class/drm";
constexpr std::string_view kAmd = "0x1002";

struct Card {
  std::string name, path;
};

class AmdProbe final : public Probe {
 public:
  AmdProbe(Opener open, std::vector<Card> cards)
      : open_(std::move(open)), cards_(std::move(cards)) {}

  void Read(Reading& out) override {
    for (const auto& [name, path] : cards_) {
      const auto busy = Scaled(Number(open_(path + "gpu_busy_percent")), 0.01);
      const auto text = open_(path + "gpu_metrics");
      const auto parsed = ParseGpuMetrics(text ? *text : std::string_view());
      const GpuMetrics metrics = parsed.value_or(GpuMetrics());
      out.Add(name + "busy", "ratio", busy ? busy : metrics.busy);
      out.Add(name + "memory_busy", "ratio", metrics.memory_busy);
      out.Add(name + "memory", "bytes", Number(open_(path + "mem_info_vram_used")));
      out.Add(name + "shared_memory", "bytes", Number(open_(path + "mem_info_gtt_used")));
      out.Add(name + "power", "W", metrics.power);
      out.Add(name + "temperature", "°C", metrics.temperature);
      out.Add(name + "clock", "Hz", metrics.clock);
      out.Add(name + "memory_clock", "Hz", metrics.memory_clock);
      out.Add(name + "dram_read", "bytes/s", metrics.dram_read);
      out.Add(name + "dram_write", "bytes/s", metrics.dram_write);
    }
  }

 private:
  const Opener open_;
  const std::vector<Card> cards_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  std::vector<Card> cards;
  for (const auto& name : system.list(kCards)) {
    const std::string path = fmt::format("{}/{}/device/", kCards, name);
    const bool card = name.starts_with("card") && name.find('-') == name.npos;  // not a connector
    const auto vendor = system.open(path + "vendor");
    if (card && vendor && Trim(*vendor) == kAmd) cards.push_back({name + ".", path});
  }
  if (cards.empty()) return Failure("no AMD card in {}", kCards);
  return std::make_unique<AmdProbe>(system.open, std::move(cards));
}

}  // namespace

extern const ProbeDescriptor kAmdProbe;
const ProbeDescriptor kAmdProbe = {"amd", "AMD cards: use, memory, power, clocks, heat",
                                   100 * kMillisecond, true, Make};

}  // namespace cbench::monitor
