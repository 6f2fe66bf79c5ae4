// Sensors of the board, processor, disks and graphics cards, from /sys/class/hwmon (kernel
// documentation, hwmon/sysfs-interface): temperatures (m°C there), power (µW), fans (rpm).
// Some sit behind a slow bus, and a broken one can hang.
#include <array>
#include <map>

#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

constexpr char kChips[] = "/sys/class/hwmon/";

struct Kind {
  std::string_view prefix, suffix;
  const char* unit;
  double factor;
};
constexpr std::array<Kind, 4> kKinds = {{{"temp", "_input", "°C", 1e-3},
                                         {"power", "_average", "W", 1e-6},
                                         {"power", "_input", "W", 1e-6},
                                         {"fan", "_input", "rpm", 1}}};

struct Sensor {
  std::string name, path;
  const Kind* kind;
};

class HwmonProbe final : public Probe {
 public:
  HwmonProbe(Opener open, std::vector<Sensor> sensors)
      : open_(std::move(open)), sensors_(std::move(sensors)) {}

  void Read(Reading& out) override {
    for (const Sensor& sensor : sensors_) {
      out.Add(sensor.name, sensor.kind->unit,
              Scaled(Number(open_(sensor.path)), sensor.kind->factor));
    }
  }

 private:
  const Opener open_;
  const std::vector<Sensor> sensors_;
};

const Kind* KindOf(std::string_view file) {
  for (const Kind& kind : kKinds) {
    if (file.starts_with(kind.prefix) && file.ends_with(kind.suffix)) return &kind;
  }
  return nullptr;
}

// "coretemp.Core 0", "nvme.temp1" without a label; "nvme#2.temp1" of a second such chip.
void AddChip(const System& system, const std::string& chip, std::map<std::string, int>& seen,
             std::vector<Sensor>& sensors) {
  const std::string path = kChips + chip + "/";
  const auto text = system.open(path + "name").value_or(chip);
  std::string name(Trim(text));
  if (const int number = ++seen[name]; number > 1) name += fmt::format("#{}", number);
  for (const auto& file : system.list(path.substr(0, path.size() - 1))) {
    const Kind* kind = KindOf(file);
    if (!kind || !Number(system.open(path + file))) continue;
    const std::string item = file.substr(0, file.size() - kind->suffix.size());
    const auto label = system.open(path + item + "_label").value_or(item);
    sensors.push_back({fmt::format("{}.{}", name, Trim(label)), path + file, kind});
  }
}

Result<std::unique_ptr<Probe>> Make(const System& system) {
  std::vector<Sensor> sensors;
  std::map<std::string, int> seen;
  std::string directory = kChips;
  directory.pop_back();
  for (const auto& chip : system.list(directory)) AddChip(system, chip, seen, sensors);
  if (sensors.empty()) return Failure("no sensor that can be read in {}", kChips);
  return std::make_unique<HwmonProbe>(system.open, std::move(sensors));
}

}  // namespace

extern const ProbeDescriptor kHwmonProbe;
const ProbeDescriptor kHwmonProbe = {"hwmon", "temperature, power and fan sensors", kSecond, true,
                                     Make};

}  // namespace cbench::monitor
