#include "report/writers/change_bar.h"

#include <algorithm>
#include <cmath>

#include "report/writers/compare_cells.h"

namespace cbench::report {
namespace {

constexpr double kLeast = 0.1, kMost = 1;
constexpr double kMiddle = 90, kArm = 86;  // of the picture; the rest is for a dot at the end

// What counts as no change, below and above 0. The floor of ratios is as far on both sides when
// they are logarithms (docs/compare.md), and known for the side of the change.
Bounds NoChange(const MetricChange& row) {
  const double noise = row.noise.value_or(0);
  Bounds band = {-noise, noise};
  if (row.quantity != Quantity::kShare && row.change) {
    if (*row.change >= 0)
      band.first = -noise / (1 + noise);
    else
      band.second = noise / std::max(1 - noise, 0.01);
  }
  return {std::min(band.first, -kSmallestChange), std::max(band.second, kSmallestChange)};
}

double Reach(const MetricChange& row) {
  if (!row.change) return 0;
  const Bounds bounds = row.bounds.value_or(Bounds{*row.change, *row.change});
  return std::max({std::abs(*row.change), std::abs(bounds.first), std::abs(bounds.second)});
}

class Axis {
 public:
  explicit Axis(double range) : range_(range) {}
  double At(double change) const { return kMiddle + kArm * std::clamp(change / range_, -1.0, 1.0); }

 private:
  const double range_;
};

std::string Label(const MetricChange& row) {
  const CompareCells cells = CellsOf(row);
  return fmt::format("{}, 95 % {}, noise {}", cells.change, cells.bounds, cells.noise);
}

}  // namespace

double BarRange(const Pairing& pairing) {
  double range = kLeast;
  for (const AppChanges& app : pairing.apps) {
    for (const MetricChange& row : app.metrics) range = std::max(range, Reach(row));
  }
  return std::min(range * 1.05, kMost);
}

std::string ChangeBar(const MetricChange& row, double range) {
  if (!row.change) return "";
  const Axis axis(range);
  const Bounds band = NoChange(row), bounds = row.bounds.value_or(Bounds{*row.change, *row.change});
  const double left = axis.At(band.first), right = axis.At(band.second);
  std::string svg = fmt::format(
      R"(<svg class="change-bar" viewBox="0 0 180 18" role="img" aria-label="{}"><rect class="none" x="{:.1f}" y="2" width="{:.1f}" height="14"/>)",
      Label(row), left, right - left);
  svg += fmt::format(R"(<line class="zero" x1="{0}" x2="{0}" y1="0" y2="18"/>)", kMiddle);
  svg += fmt::format(R"(<line class="interval" x1="{:.1f}" x2="{:.1f}" y1="9" y2="9"/>)",
                     axis.At(bounds.first), axis.At(bounds.second));
  return svg + fmt::format(R"(<circle class="point" cx="{:.1f}" cy="9" r="4"/></svg>)",
                           axis.At(*row.change));
}

}  // namespace cbench::report
