// Pressure stall information: share of the time since the last reading in which some task, or
// every task at once ("full"), waited for CPU, memory or I/O, from /proc/pressure/* (kernel
// documentation, accounting/psi; `total` is in microseconds). For the CPU as a whole "full" is
// not defined. Waiting for a GPU does not show here.
#include <array>

#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

struct Stall {
  const char* name;
  const char* path;
  std::string_view line;
};
constexpr std::array<Stall, 5> kStalls = {{{"cpu_some", "/proc/pressure/cpu", "some "},
                                           {"memory_some", "/proc/pressure/memory", "some "},
                                           {"memory_full", "/proc/pressure/memory", "full "},
                                           {"io_some", "/proc/pressure/io", "some "},
                                           {"io_full", "/proc/pressure/io", "full "}}};

std::optional<double> StalledSeconds(const std::optional<std::string>& text,
                                     std::string_view which) {
  if (!text) return std::nullopt;
  for (const auto line : Lines(*text)) {
    const auto at = line.find("total=");
    if (line.starts_with(which) && at != line.npos)
      return Scaled(Number(line.substr(at + 6)), 1e-6);
  }
  return std::nullopt;
}

class PressureProbe final : public Probe {
 public:
  explicit PressureProbe(Opener open) : open_(std::move(open)) {}

  void Read(Reading& out) override {
    std::optional<std::string> text;
    for (std::size_t i = 0; i < kStalls.size(); ++i) {
      const bool same_file = i > 0 && std::string_view(kStalls[i].path) == kStalls[i - 1].path;
      if (!same_file) text = open_(kStalls[i].path);
      out.Add(kStalls[i].name, "ratio",
              rates_[i].PerSecond(out.t(), StalledSeconds(text, kStalls[i].line)));
    }
  }

 private:
  const Opener open_;
  std::array<Rate, kStalls.size()> rates_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  if (!StalledSeconds(system.open("/proc/pressure/cpu"), "some "))
    return Failure("/proc/pressure is missing: the kernel was built or booted without psi=1");
  return std::make_unique<PressureProbe>(system.open);
}

}  // namespace

extern const ProbeDescriptor kPressureProbe;
const ProbeDescriptor kPressureProbe = {"pressure", "waiting for CPU, memory and I/O",
                                        100 * kMillisecond, false, Make};

}  // namespace cbench::monitor
