#include "report/html/curves.h"

#include <algorithm>
#include <cmath>

#include "report/writers/json_values.h"

namespace cbench::report {
namespace {

constexpr double kSteps = 4000;  // of a curve's largest value: finer than any screen

double ScaleOf(const Series& series) {
  const double largest =
      std::max(std::abs(series.low.value_or(0)), std::abs(series.high.value_or(0)));
  const double scale = largest / kSteps;
  return scale > 0 && std::isfinite(scale) ? scale : 1;
}

// The points as columns: values as differences from the value before, ranges from their mean.
class Points {
 public:
  Points(const Series& series, Nanos start) : scale_(ScaleOf(series)) {
    for (const TimelinePoint& point : series.points) Add(point, start);
  }

  void AddTo(Json& json) const {
    json["scale"] = scale_;
    json["t"] = t_;
    json["v"] = v_;
    if (!has_range_) return;  // not thinned: each point is one value
    json["below"] = below_;
    json["above"] = above_;
  }

 private:
  void Add(const TimelinePoint& point, Nanos start) {
    const std::int64_t t = (point.t - start) / kMillisecond;
    t_.push_back(t - last_t_);
    last_t_ = t;
    if (!point.mean || !std::isfinite(*point.mean)) return AddGap();
    const std::int64_t v = Scaled(*point.mean);
    v_.push_back(v - last_v_);
    last_v_ = v;
    below_.push_back(v - Scaled(point.low.value_or(*point.mean)));
    above_.push_back(Scaled(point.high.value_or(*point.mean)) - v);
    has_range_ = has_range_ || below_.back() != 0 || above_.back() != 0;
  }

  void AddGap() {
    v_.push_back(nullptr);
    below_.push_back(0);
    above_.push_back(0);
  }

  std::int64_t Scaled(double value) const {
    return std::llround(std::clamp(value / scale_, -kSteps, kSteps));
  }

  const double scale_;
  Json t_ = Json::array(), v_ = Json::array(), below_ = Json::array(), above_ = Json::array();
  std::int64_t last_t_ = 0, last_v_ = 0;
  bool has_range_ = false;
};

}  // namespace

bool IsDrawn(const Series& series) {
  if (series.probe == "monitor" || series.probe == "cores" || series.values == 0) return false;
  return !series.name.ends_with(".threads");
}

Json CurvesJson(const Timeline& timeline) {
  Json curves = Json::array();
  for (const Series& series : timeline.series) {
    if (!IsDrawn(series)) continue;
    Json json = {{"probe", series.probe},        {"name", series.name},
                 {"unit", series.unit},          {"mean", ValueJson(series.mean)},
                 {"min", ValueJson(series.low)}, {"max", ValueJson(series.high)}};
    if (series.unit == "J")
      json["energy"] = ValueJson(Energy(series));
    else
      Points(series, timeline.window.first).AddTo(json);
    curves.push_back(std::move(json));
  }
  return curves;
}

}  // namespace cbench::report
