#include "report/energy.h"

namespace cbench::report {
namespace {

// "package-0" of rapl's "package-0.energy"; empty if it is no counter of a whole device.
std::string CounterName(const record::Sample& sample) {
  constexpr std::string_view kSuffix = ".energy";
  if (sample.probe != "rapl" && sample.probe != "nvidia") return {};
  if (sample.unit != "J" || !sample.name.ends_with(kSuffix)) return {};
  const std::string zone = sample.name.substr(0, sample.name.size() - kSuffix.size());
  const bool is_part = zone.find('.') != std::string::npos;
  const bool is_sum = zone.starts_with("psys");  // counts the packages once more
  return is_part || is_sum ? "" : zone;
}

struct Counter {
  double first = 0, last = 0;
  int values = 0;
  bool is_monotonic = true;

  void Add(double value) {
    if (values++ == 0) first = last = value;
    is_monotonic &= value >= last;
    last = value;
  }
};

std::map<std::string, double> Joules(const std::map<std::string, Counter>& counters) {
  std::map<std::string, double> joules;
  for (const auto& [name, counter] : counters) {
    if (counter.values >= 2 && counter.is_monotonic) joules[name] = counter.last - counter.first;
  }
  return joules;
}

}  // namespace

std::vector<std::map<std::string, double>> MeasureEnergy(
    const record::Record& record, const std::vector<std::optional<Interval>>& windows) {
  std::vector<std::map<std::string, double>> joules(windows.size());
  if (record.directory.empty()) return joules;
  std::vector<std::map<std::string, Counter>> counters(windows.size());
  const auto visit = [&](const record::Sample& sample) {
    const std::string name = sample.value ? CounterName(sample) : "";
    for (std::size_t i = 0; i < windows.size() && !name.empty(); ++i) {
      if (windows[i] && sample.t >= windows[i]->first && sample.t <= windows[i]->second)
        counters[i][name].Add(*sample.value);
    }
  };
  if (!record::ReadSamples(record.directory, visit)) return joules;
  for (std::size_t i = 0; i < windows.size(); ++i) joules[i] = Joules(counters[i]);
  return joules;
}

}  // namespace cbench::report
