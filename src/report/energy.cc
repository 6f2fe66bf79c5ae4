#include "report/energy.h"

#include "report/timeline.h"

namespace cbench::report {
namespace {

// "package-0" of rapl's "package-0.energy"; empty if it is no counter of a whole device.
std::string CounterName(const Series& series) {
  constexpr std::string_view kSuffix = ".energy";
  if (series.probe != "rapl" && series.probe != "nvidia") return {};
  if (!series.name.ends_with(kSuffix)) return {};
  const std::string zone = series.name.substr(0, series.name.size() - kSuffix.size());
  const bool is_part = zone.find('.') != std::string::npos;
  const bool is_sum = zone.starts_with("psys");  // counts the packages once more
  return is_part || is_sum ? "" : zone;
}

std::map<std::string, double> Joules(const Timeline& timeline) {
  std::map<std::string, double> joules;
  if (!timeline.reason.empty()) return joules;
  for (const Series& series : timeline.series) {
    const std::string name = CounterName(series);
    if (const auto energy = Energy(series); energy && !name.empty()) joules[name] = *energy;
  }
  return joules;
}

}  // namespace

std::vector<std::map<std::string, double>> MeasureEnergy(
    const record::Record& record, const std::vector<std::optional<Interval>>& windows) {
  std::vector<std::map<std::string, double>> joules(windows.size());
  if (record.directory.empty()) return joules;
  std::vector<Interval> known;
  for (const auto& window : windows) {
    if (window) known.push_back(*window);
  }
  constexpr std::size_t kOnePoint = 1;  // only what is known of the whole window is asked for
  const std::vector<Timeline> timelines = ReadTimelines(record, kOnePoint, known);
  auto timeline = timelines.begin();
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (windows[i]) joules[i] = Joules(*timeline++);
  }
  return joules;
}

}  // namespace cbench::report
