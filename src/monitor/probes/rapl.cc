// Energy of the processor as it estimates it itself (RAPL), from the powercap interface (kernel
// documentation, power/powercap). A zone counts microjoules and starts again from 0 behind
// max_energy_range_uj, after a minute at full load on some machines, so it is read far more often.
#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

constexpr char kZones[] = "/sys/class/powercap/";

struct Zone {
  std::string name, path;
  double range = 0;  // µJ
  std::optional<double> last;
  double total = 0;  // µJ since the first reading
  Rate power = {};
};

class RaplProbe final : public Probe {
 public:
  RaplProbe(Opener open, std::vector<Zone> zones)
      : open_(std::move(open)), zones_(std::move(zones)) {}

  void Read(Reading& out) override {
    for (Zone& zone : zones_) {
      const auto joules = Scaled(Advance(zone), 1e-6);
      out.Add(zone.name + ".energy", "J", joules);
      out.Add(zone.name + ".power", "W", zone.power.PerSecond(out.t(), joules));
    }
  }

 private:
  std::optional<double> Advance(Zone& zone) {
    const auto now = Number(open_(zone.path + "/energy_uj"));
    if (!now) return std::nullopt;
    const double last = zone.last.value_or(*now);
    zone.total += *now >= last ? *now - last : *now + zone.range - last;
    zone.last = now;
    return zone.total;
  }

  const Opener open_;
  std::vector<Zone> zones_;
};

// "package-0" of intel-rapl:0, "package-0.core" of intel-rapl:0:1, its part.
std::string NameOf(const System& system, const std::string& zone) {
  const auto own = system.open(kZones + zone + "/name").value_or(zone);
  const std::string name(Trim(own));
  const auto last = zone.rfind(':');
  if (last == zone.find(':')) return name;
  return NameOf(system, zone.substr(0, last)) + "." + name;
}

// AMD's counters have the same name there. intel-rapl-mmio counts the same package again.
Result<std::unique_ptr<Probe>> Make(const System& system) {
  std::vector<Zone> zones;
  bool hidden = false;
  for (const auto& name : system.list(kZones)) {
    if (!name.starts_with("intel-rapl:")) continue;
    const std::string path = kZones + name;
    const auto range = Number(system.open(path + "/max_energy_range_uj"));
    const bool readable = Number(system.open(path + "/energy_uj")).has_value();
    hidden = hidden || !readable;
    if (readable && range) zones.push_back({NameOf(system, name), path, *range, std::nullopt});
  }
  if (!zones.empty()) return std::make_unique<RaplProbe>(system.open, std::move(zones));
  if (hidden)
    return Failure("{}intel-rapl:*/energy_uj can only be read by root (since Linux 5.10)", kZones);
  return Failure("no {}intel-rapl:*: the processor, or a virtual machine, has no RAPL", kZones);
}

}  // namespace

extern const ProbeDescriptor kRaplProbe;
const ProbeDescriptor kRaplProbe = {"rapl", "energy and power of the processor", 100 * kMillisecond,
                                    false, Make};

}  // namespace cbench::monitor
