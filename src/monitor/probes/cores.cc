// Busy share of each core since the last reading, from the "cpuN" lines of /proc/stat.
#include <map>

#include "monitor/cpu_ticks.h"
#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

class CoresProbe final : public Probe {
 public:
  explicit CoresProbe(Opener open) : open_(std::move(open)) {}

  void Read(Reading& out) override {
    const std::string text = open_("/proc/stat").value_or("");
    std::map<std::string, CpuTicks> now;
    for (const auto line : Lines(text)) {
      if (!line.starts_with("cpu")) break;  // they come first; what follows is long
      const auto name = line.substr(0, line.find(' '));
      const auto ticks = ParseTicks(line);
      if (name != "cpu" && ticks) now["core" + std::string(name.substr(3))] = *ticks;
    }
    for (const auto& [name, ticks] : last_) now.try_emplace(name);  // went offline: null
    for (const auto& [name, ticks] : now) {
      const auto before = last_.find(name);
      const auto last = before == last_.end() ? std::nullopt : std::optional(before->second);
      out.Add(name, "ratio", Share(last, ticks, &CpuTicks::busy));
    }
    last_ = std::move(now);
  }

 private:
  const Opener open_;
  std::map<std::string, CpuTicks> last_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  const auto text = system.open("/proc/stat");
  if (!text || text->find("\ncpu0 ") == text->npos) return Failure("/proc/stat has no line a core");
  return std::make_unique<CoresProbe>(system.open);
}

}  // namespace

extern const ProbeDescriptor kCoresProbe;
const ProbeDescriptor kCoresProbe = {"cores", "busy share of each core", 200 * kMillisecond, false,
                                     Make};

}  // namespace cbench::monitor
