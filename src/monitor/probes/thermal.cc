// Temperatures of the thermal zones, from /sys/class/thermal (millidegrees Celsius there).
#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

constexpr char kZones[] = "/sys/class/thermal/";

struct Zone {
  std::string name, path;
};

class ThermalProbe final : public Probe {
 public:
  ThermalProbe(Opener open, std::vector<Zone> zones)
      : open_(std::move(open)), zones_(std::move(zones)) {}

  void Read(Reading& out) override {
    for (const Zone& zone : zones_)
      out.Add(zone.name, "°C", Scaled(Number(open_(zone.path)), 1e-3));
  }

 private:
  const Opener open_;
  const std::vector<Zone> zones_;
};

// Several zones may have one type: "zone2.x86_pkg_temp". One that reads nothing now is left out.
Result<std::unique_ptr<Probe>> Make(const System& system) {
  constexpr std::string_view kPrefix = "thermal_zone";
  std::vector<Zone> zones;
  for (const auto& name : system.list(kZones)) {
    const std::string path = kZones + name;
    if (!name.starts_with(kPrefix) || !Number(system.open(path + "/temp"))) continue;
    const auto type = system.open(path + "/type").value_or("");
    zones.push_back(
        {fmt::format("zone{}.{}", name.substr(kPrefix.size()), Trim(type)), path + "/temp"});
  }
  if (zones.empty()) return Failure("no thermal zone that can be read in {}", kZones);
  return std::make_unique<ThermalProbe>(system.open, std::move(zones));
}

}  // namespace

extern const ProbeDescriptor kThermalProbe;
const ProbeDescriptor kThermalProbe = {"thermal", "temperatures of the thermal zones", kSecond,
                                       true, Make};

}  // namespace cbench::monitor
