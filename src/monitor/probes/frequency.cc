// Clock of the cores now, from cpufreq. /proc/cpuinfo's "cpu MHz" is not asked: without cpufreq
// it is the nominal clock, which says nothing about this instant.
#include <algorithm>

#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

constexpr char kCpus[] = "/sys/devices/system/cpu/";

class FrequencyProbe final : public Probe {
 public:
  FrequencyProbe(Opener open, std::vector<std::string> paths)
      : open_(std::move(open)), paths_(std::move(paths)) {}

  void Read(Reading& out) override {
    std::optional<double> lowest, highest, mean;
    double sum = 0;
    int count = 0;
    for (const auto& path : paths_) {
      const auto hertz = Scaled(Number(open_(path)), 1e3);
      if (!hertz) continue;  // offline
      lowest = std::min(lowest.value_or(*hertz), *hertz);
      highest = std::max(highest.value_or(*hertz), *hertz);
      sum += *hertz;
      ++count;
    }
    if (count > 0) mean = sum / count;
    out.Add("mean", "Hz", mean);
    out.Add("min", "Hz", lowest);
    out.Add("max", "Hz", highest);
  }

 private:
  const Opener open_;
  const std::vector<std::string> paths_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  std::vector<std::string> paths;
  for (const auto& name : system.list(kCpus)) {
    const std::string path = kCpus + name + "/cpufreq/scaling_cur_freq";
    if (name.starts_with("cpu") && Number(system.open(path))) paths.push_back(path);
  }
  if (paths.empty()) return Failure("no cpufreq in {}; most virtual machines have none", kCpus);
  return std::make_unique<FrequencyProbe>(system.open, std::move(paths));
}

}  // namespace

extern const ProbeDescriptor kFrequencyProbe;
const ProbeDescriptor kFrequencyProbe = {"frequency", "clock of the cores, from cpufreq",
                                         500 * kMillisecond, false, Make};

}  // namespace cbench::monitor
