// How much of an NVIDIA card was used, from NVML's GPU performance monitoring (Hopper and later),
// means since the last reading: SMs with at least one warp, warps of the possible ones on them
// (occupancy), tensor cores at work, memory interface moving data, PCIe traffic of the card.
#include "monitor/nvml.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

class GpmProbe final : public Probe {
 public:
  GpmProbe(std::shared_ptr<Nvml> nvml, std::vector<int> devices)
      : nvml_(std::move(nvml)), devices_(std::move(devices)) {}

  void Read(Reading& out) override {
    for (const int device : devices_) {
      const std::string card = fmt::format("gpu{}.", device);
      const GpmReading reading = nvml_->ReadGpm(device);
      out.Add(card + "sm_active", "ratio", reading.sm_active);
      out.Add(card + "sm_occupancy", "ratio", reading.sm_occupancy);
      out.Add(card + "tensor_active", "ratio", reading.tensor_active);
      out.Add(card + "dram_active", "ratio", reading.dram_active);
      out.Add(card + "pcie_sent", "bytes/s", reading.pcie_tx);
      out.Add(card + "pcie_received", "bytes/s", reading.pcie_rx);
    }
  }

 private:
  const std::shared_ptr<Nvml> nvml_;
  const std::vector<int> devices_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  CBENCH_ASSIGN(auto nvml, system.nvml());
  std::vector<int> devices;
  for (int device = 0; device < nvml->Count(); ++device) {
    if (nvml->HasGpm(device)) devices.push_back(device);
  }
  if (devices.empty()) return Failure("{} has no GPM: that came with Hopper", nvml->Name(0));
  return std::make_unique<GpmProbe>(std::move(nvml), std::move(devices));
}

}  // namespace

// The driver wants at least 100 ms between two samples.
extern const ProbeDescriptor kNvidiaGpmProbe;
const ProbeDescriptor kNvidiaGpmProbe = {
    "nvidia-gpm", "NVIDIA cards: active SMs, occupancy, tensor cores, memory interface",
    200 * kMillisecond, true, Make};

}  // namespace cbench::monitor
