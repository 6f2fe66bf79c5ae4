// Memory: what the kernel says is available without swapping, and swap in use, from
// /proc/meminfo (proc(5); kB there means KiB).
#include <cstdlib>
#include <sstream>

#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

std::optional<double> Bytes(const std::string& meminfo, std::string_view key) {
  std::istringstream lines(meminfo);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    return std::strtod(line.c_str() + key.size(), nullptr) * 1024;
  }
  return std::nullopt;
}

class MemoryProbe final : public Probe {
 public:
  explicit MemoryProbe(Opener open) : open_(std::move(open)) {}

  void Read(Nanos now, std::vector<record::Sample>& samples) override {
    const std::string text = open_("/proc/meminfo").value_or("");
    samples.push_back({now, "memory", "available", "bytes", Bytes(text, "MemAvailable:")});
    const auto total = Bytes(text, "SwapTotal:"), free = Bytes(text, "SwapFree:");
    samples.push_back({now, "memory", "swap_used", "bytes",
                       total && free ? std::optional(*total - *free) : std::nullopt});
  }

 private:
  Opener open_;
};

Result<> Available() {
  if (Bytes(OpenReal("/proc/meminfo").value_or(""), "MemAvailable:")) return {};
  return Failure("/proc/meminfo has no MemAvailable");
}

}  // namespace

extern const ProbeDescriptor kMemoryProbe;
const ProbeDescriptor kMemoryProbe = {"memory", "available memory and swap, from /proc/meminfo",
                                      Available, [](Opener open) -> std::unique_ptr<Probe> {
                                        return std::make_unique<MemoryProbe>(std::move(open));
                                      }};

}  // namespace cbench::monitor
