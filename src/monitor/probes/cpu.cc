// CPU: what the cores did since the last reading, from the first line of /proc/stat (proc(5)).
// busy is everything but idle and iowait; steal, a part of it, is what the hypervisor gave to
// others.
#include "monitor/cpu_ticks.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

class CpuProbe final : public Probe {
 public:
  explicit CpuProbe(Opener open) : open_(std::move(open)) {}

  void Read(Reading& out) override {
    const auto text = open_("/proc/stat");
    const auto ticks = ParseTicks(text ? FirstLine(*text) : std::string_view());
    out.Add("busy", "ratio", Share(last_, ticks, &CpuTicks::busy));
    out.Add("iowait", "ratio", Share(last_, ticks, &CpuTicks::iowait));
    out.Add("steal", "ratio", Share(last_, ticks, &CpuTicks::steal));
    last_ = ticks;
  }

 private:
  static std::string_view FirstLine(std::string_view text) {
    return text.substr(0, text.find('\n'));
  }

  const Opener open_;
  std::optional<CpuTicks> last_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  if (!system.open("/proc/stat")) return Failure("/proc/stat cannot be read");
  return std::make_unique<CpuProbe>(system.open);
}

}  // namespace

extern const ProbeDescriptor kCpuProbe;
const ProbeDescriptor kCpuProbe = {"cpu", "busy, waiting and stolen share of all cores",
                                   kMillisecond, false, Make};

}  // namespace cbench::monitor
