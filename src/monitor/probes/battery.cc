// Batteries, from /sys/class/power_supply (kernel documentation, ABI/testing/sysfs-class-power):
// charge, power (µW there, or current × voltage in µA and µV) and whether it is being drained.
#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

constexpr char kSupplies[] = "/sys/class/power_supply";

class BatteryProbe final : public Probe {
 public:
  BatteryProbe(Opener open, std::vector<std::string> names)
      : open_(std::move(open)), names_(std::move(names)) {}

  void Read(Reading& out) override {
    for (const auto& name : names_) {
      const auto status = open_(Path(name, "status"));
      out.Add(name + ".charge", "ratio", Scaled(Number(open_(Path(name, "capacity"))), 0.01));
      out.Add(name + ".power", "W", Power(name));
      out.Add(name + ".discharging", "bool",
              status ? std::optional(Trim(*status) == "Discharging" ? 1.0 : 0.0) : std::nullopt);
    }
  }

 private:
  static std::string Path(const std::string& name, const char* file) {
    return fmt::format("{}/{}/{}", kSupplies, name, file);
  }

  // Some drivers give discharging a negative sign, most do not; `discharging` says which it is.
  std::optional<double> Power(const std::string& name) const {
    auto watts = Scaled(Number(open_(Path(name, "power_now"))), 1e-6);
    if (!watts) {
      const auto current = Number(open_(Path(name, "current_now")));
      const auto voltage = Number(open_(Path(name, "voltage_now")));
      if (current && voltage) watts = *current * *voltage * 1e-12;
    }
    return watts && *watts < 0 ? Scaled(watts, -1) : watts;
  }

  const Opener open_;
  const std::vector<std::string> names_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  std::vector<std::string> names;
  for (const auto& name : system.list(kSupplies)) {
    const auto type = system.open(fmt::format("{}/{}/type", kSupplies, name));
    if (type && Trim(*type) == "Battery") names.push_back(name);
  }
  if (names.empty()) return Failure("no battery in {}", kSupplies);
  return std::make_unique<BatteryProbe>(system.open, std::move(names));
}

}  // namespace

extern const ProbeDescriptor kBatteryProbe;
const ProbeDescriptor kBatteryProbe = {"battery", "charge and power of batteries", 5 * kSecond,
                                       true, Make};

}  // namespace cbench::monitor
