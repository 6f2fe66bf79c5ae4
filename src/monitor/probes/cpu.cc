// CPU: share of the time since the last reading in which the cores were not idle, from the first
// line of /proc/stat (proc(5); fields in clock ticks, idle and iowait count as idle).
#include <array>
#include <sstream>

#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

struct Ticks {
  std::uint64_t busy = 0, total = 0;
};

std::optional<Ticks> ReadTicks(const Opener& open) {
  std::istringstream line(open("/proc/stat").value_or(""));
  std::string name;
  std::array<std::uint64_t, 8> fields{};  // user nice system idle iowait irq softirq steal
  line >> name;
  for (auto& field : fields) line >> field;
  if (!line || name != "cpu") return std::nullopt;
  Ticks ticks;
  for (const auto field : fields) ticks.total += field;
  ticks.busy = ticks.total - fields[3] - fields[4];
  return ticks;
}

class CpuProbe final : public Probe {
 public:
  explicit CpuProbe(Opener open) : open_(std::move(open)) {}

  void Read(Nanos now, std::vector<record::Sample>& samples) override {
    const auto ticks = ReadTicks(open_);
    record::Sample sample{now, "cpu", "busy", "ratio", std::nullopt};
    if (ticks && last_ && ticks->total > last_->total) {
      sample.value = static_cast<double>(ticks->busy - last_->busy) /
                     static_cast<double>(ticks->total - last_->total);
    }
    last_ = ticks;
    samples.push_back(sample);
  }

 private:
  Opener open_;
  std::optional<Ticks> last_;
};

Result<> Available() {
  if (ReadTicks(OpenReal)) return {};
  return Failure("/proc/stat cannot be read");
}

}  // namespace

extern const ProbeDescriptor kCpuProbe;
const ProbeDescriptor kCpuProbe = {"cpu", "busy share of all cores, from /proc/stat", Available,
                                   [](Opener open) -> std::unique_ptr<Probe> {
                                     return std::make_unique<CpuProbe>(std::move(open));
                                   }};

}  // namespace cbench::monitor
