// Memory: what the kernel says is available without swapping, and swap in use, from
// /proc/meminfo (proc(5); kB there means KiB).
#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

class MemoryProbe final : public Probe {
 public:
  explicit MemoryProbe(Opener open) : open_(std::move(open)) {}

  void Read(Reading& out) override {
    const std::string text = open_("/proc/meminfo").value_or("");
    out.Add("available", "bytes", Scaled(Field(text, "MemAvailable:"), 1024));
    const auto total = Field(text, "SwapTotal:"), free = Field(text, "SwapFree:");
    const auto used = total && free ? std::optional(*total - *free) : std::nullopt;
    out.Add("swap_used", "bytes", Scaled(used, 1024));
  }

 private:
  const Opener open_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  if (!Field(system.open("/proc/meminfo").value_or(""), "MemAvailable:"))
    return Failure("/proc/meminfo has no MemAvailable");
  return std::make_unique<MemoryProbe>(system.open);
}

}  // namespace

extern const ProbeDescriptor kMemoryProbe;
const ProbeDescriptor kMemoryProbe = {"memory", "available memory and swap in use",
                                      100 * kMillisecond, false, Make};

}  // namespace cbench::monitor
