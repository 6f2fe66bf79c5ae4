// How often the processor lowered its clock for heat, from Intel's thermal_throttle counters:
// events since the first reading, of cores (summed) and of packages (each CPU shows its package's
// count, so the largest).
#include <algorithm>

#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

constexpr char kCpus[] = "/sys/devices/system/cpu/";

struct Counts {
  double core = 0, package = 0;
};

class ThrottleProbe final : public Probe {
 public:
  ThrottleProbe(Opener open, std::vector<std::string> paths)
      : open_(std::move(open)), paths_(std::move(paths)) {}

  void Read(Reading& out) override {
    const auto counts = ReadCounts();
    if (counts && !first_) first_ = counts;
    const auto since = [&](double Counts::* which) {
      return counts ? std::optional((*counts).*which - (*first_).*which) : std::nullopt;
    };
    out.Add("core_events", "count", since(&Counts::core));
    out.Add("package_events", "count", since(&Counts::package));
  }

 private:
  std::optional<Counts> ReadCounts() const {
    Counts counts;
    for (const auto& path : paths_) {
      const auto core = Number(open_(path + "core_throttle_count"));
      if (!core) return std::nullopt;
      counts.core += *core;
      const auto package = Number(open_(path + "package_throttle_count"));
      counts.package = std::max(counts.package, package.value_or(0));
    }
    return counts;
  }

  const Opener open_;
  const std::vector<std::string> paths_;
  std::optional<Counts> first_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  std::vector<std::string> paths;
  for (const auto& name : system.list(kCpus)) {
    const std::string path = kCpus + name + "/thermal_throttle/";
    if (Number(system.open(path + "core_throttle_count"))) paths.push_back(path);
  }
  if (paths.empty())
    return Failure("no {}cpu*/thermal_throttle: only Intel's processors count that", kCpus);
  return std::make_unique<ThrottleProbe>(system.open, std::move(paths));
}

}  // namespace

extern const ProbeDescriptor kThrottleProbe;
const ProbeDescriptor kThrottleProbe = {"throttle", "how often the processor slowed down for heat",
                                        kSecond, false, Make};

}  // namespace cbench::monitor
