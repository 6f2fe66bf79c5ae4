// The table of `cbench monitor`, and of `cbench report` on what it has recorded.
#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "report/text.h"
#include "report/timeline.h"
#include "report/writers/screen.h"

namespace cbench::report {
namespace {

using Align = Screen::Align;

constexpr int kName = 32, kValue = 11;
constexpr char kOwnProbe[] = "monitor";

std::string Bytes(double bytes) {
  return FormatBytes(static_cast<std::uint64_t>(std::clamp(bytes, 0.0, 1e18)));
}

std::string Text(std::optional<double> value, std::string_view unit) {
  if (!value || !std::isfinite(*value)) return "—";
  if (unit == "ratio" || unit == "bool") return fmt::format("{:.1f} %", *value * 100);
  if (unit == "bytes") return Bytes(*value);
  if (unit == "bytes/s") return Bytes(*value) + "/s";
  if (unit == "Hz") return fmt::format("{:.2f} GHz", *value * 1e-9);
  if (unit == "s") return Seconds(value);
  if (unit == "count") return fmt::format("{:.6g}", *value);
  if (unit == "1/s") return fmt::format("{:.3g}/s", *value);
  return fmt::format("{:.3g} {}", *value, unit);
}

void Head(Screen& screen) {
  screen.Column("series", kName, Align::kLeft, Style::kDim);
  for (const char* title : {"mean", "min", "max", "last"})
    screen.Column(title, kValue, Align::kRight, Style::kDim);
  screen.EndLine();
}

void Line(Screen& screen, const Series& series) {
  screen.Column("  " + series.name, kName);
  for (const auto& value : {series.mean, series.low, series.high, series.last})
    screen.Column(Text(value, series.unit), kValue, Align::kRight);
  screen.EndLine();
}

// All that the monitor says of its own use of CPU time.
double OwnCost(const Timeline& timeline) {
  double cores = 0;
  for (const Series& series : timeline.series) {
    if (series.probe == kOwnProbe && series.unit == "cores") cores += series.mean.value_or(0);
  }
  return cores;
}

}  // namespace

std::string ToTerminal(const Timeline& timeline, bool color) {
  Screen screen(color);
  Head(screen);
  for (const ProbeState& probe : timeline.probes) {
    bool titled = false;
    for (const Series& series : timeline.series) {
      if (series.probe != probe.name) continue;
      if (!std::exchange(titled, true)) {
        screen.Column(probe.name, kName, Align::kLeft, Style::kBold);
        screen.EndLine();
      }
      Line(screen, series);
    }
  }
  screen.Blank();
  const Nanos duration = timeline.window.second - timeline.window.first;
  screen.Paragraph("", fmt::format("Over {}; watching cost {:.2f} % of a core.",
                                   FormatDuration(duration), OwnCost(timeline) * 100));
  for (const auto& missing : MissingProbes(timeline.probes)) screen.Paragraph("  - ", missing);
  if (!timeline.reason.empty()) screen.Paragraph("  - ", timeline.reason, Style::kYellow);
  return screen.Take();
}

bool IsMonitor(const record::Record& record) {
  const Json* monitor = FindMember(record.header.scenario, "monitor");
  return monitor && monitor->is_boolean() && monitor->get<bool>();
}

}  // namespace cbench::report
