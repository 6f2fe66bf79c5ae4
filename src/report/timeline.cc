#include "report/timeline.h"

#include <algorithm>
#include <map>
#include <utility>

namespace cbench::report {
namespace {

class SeriesBuilder {
 public:
  SeriesBuilder(const record::Sample& first, Nanos start, Nanos bucket, int silences)
      : start_(start), bucket_(bucket), silences_(silences) {
    series_.probe = first.probe;
    series_.name = first.name;
    series_.unit = first.unit;
  }

  // `silences`: how often the probe was silent up to this sample.
  void Add(const record::Sample& sample, int silences) {
    Count(sample);
    if (std::exchange(silences_, silences) != silences) AddGap(last_t_ + 1);
    last_t_ = sample.t;
    if (!sample.value) return AddGap(sample.t);
    const Nanos index = bucket_ > 0 ? (sample.t - start_) / bucket_ : sample.t;
    if (in_bucket_ == 0 || index != index_) Flush();
    AddToBucket(sample.t, *sample.value);
    index_ = index;
  }

  Series Finish() {
    Flush();
    if (series_.values > 0 && !fell_) series_.gain = *series_.last - first_;
    if (series_.values > 0) series_.mean = sum_ / static_cast<double>(series_.values);
    return std::move(series_);
  }

 private:
  void Count(const record::Sample& sample) {
    if (!sample.value) {
      ++series_.missing;
      return;
    }
    if (series_.values++ == 0) first_ = *sample.value;
    fell_ |= *sample.value < series_.last.value_or(*sample.value);
    sum_ += *sample.value;
    series_.low = std::min(series_.low.value_or(*sample.value), *sample.value);
    series_.high = std::max(series_.high.value_or(*sample.value), *sample.value);
    series_.last = sample.value;
  }

  void AddGap(Nanos t) {
    Flush();
    const bool open = !series_.points.empty() && series_.points.back().mean;
    if (open) series_.points.push_back({t, {}, {}, {}});
  }

  void AddToBucket(Nanos t, double value) {
    if (in_bucket_++ == 0) {
      point_ = {t, 0, value, value};
      bucket_sum_ = 0;
    }
    bucket_sum_ += value;
    point_.low = std::min(*point_.low, value);
    point_.high = std::max(*point_.high, value);
  }

  void Flush() {
    if (in_bucket_ == 0) return;
    point_.mean = bucket_sum_ / in_bucket_;
    series_.points.push_back(point_);
    in_bucket_ = 0;
  }

  const Nanos start_, bucket_;
  Series series_;
  double sum_ = 0, bucket_sum_ = 0, first_ = 0;
  bool fell_ = false;  // a value was under the one before
  Nanos last_t_ = 0, index_ = 0;
  TimelinePoint point_;
  int in_bucket_ = 0, silences_;
};

// From the first event to the last; samples outside, of engines starting up, are left out.
Interval WindowOf(const record::Record& record) {
  if (record.events.empty()) return {0, 0};
  Interval window = {record.events.front().t, record.events.front().t};
  for (const record::Event& event : record.events) {
    window.first = std::min(window.first, event.t);
    window.second = std::max(window.second, event.t);
  }
  return window;
}

// Some series come more rarely than their probe's other ones, so it is the probe whose silence is
// a gap.
class Silence {
 public:
  explicit Silence(Nanos period = 0) : period_(period) {}

  // How often it was silent before t.
  int CountUntil(Nanos t) {
    const auto distance = static_cast<double>(t - last_.value_or(t));
    if (period_ > 0 && distance > kGapPeriods * static_cast<double>(period_)) ++count_;
    last_ = t;
    return count_;
  }

 private:
  Nanos period_;
  std::optional<Nanos> last_;
  int count_ = 0;
};

class Builder {
 public:
  Builder(Timeline& timeline, std::size_t buckets) : window_(timeline.window) {
    if (buckets > 0) {
      const auto count = static_cast<Nanos>(buckets);
      bucket_ = std::max<Nanos>(1, (window_.second - window_.first + count - 1) / count);
    }
    for (const ProbeState& probe : timeline.probes) silence_[probe.name] = Silence(probe.period);
  }

  void Add(const record::Sample& sample) {
    if (sample.t < window_.first || sample.t > window_.second) return;
    const int silences = silence_[sample.probe].CountUntil(sample.t);
    const auto [place, is_new] = index_.try_emplace({sample.probe, sample.name}, series_.size());
    if (is_new) series_.emplace_back(sample, window_.first, bucket_, silences);
    series_[place->second].Add(sample, silences);
  }

  std::vector<Series> Finish() {
    std::vector<Series> all;
    for (SeriesBuilder& builder : series_) all.push_back(builder.Finish());
    return all;
  }

 private:
  const Interval window_;
  Nanos bucket_ = 0;
  std::map<std::string, Silence> silence_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
  std::vector<SeriesBuilder> series_;
};

SampleSource SamplesOf(const record::Record& record) {
  return [&record](const auto& visit) { return record::ReadSamples(record.directory, visit); };
}

std::vector<Timeline> BuildAll(const record::Record& record, const SampleSource& source,
                               std::size_t buckets, const std::vector<Interval>& windows) {
  std::vector<Timeline> timelines(windows.size());
  std::vector<Builder> builders;
  builders.reserve(windows.size());
  for (std::size_t i = 0; i < windows.size(); ++i) {
    timelines[i].window = windows[i];
    timelines[i].probes = ProbeStates(record);
    builders.emplace_back(timelines[i], buckets);
  }
  const auto read = source([&builders](const record::Sample& sample) {
    for (Builder& builder : builders) builder.Add(sample);
  });
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (!read) timelines[i].reason = read.error().message;
    timelines[i].series = builders[i].Finish();
  }
  return timelines;
}

}  // namespace

std::optional<double> Energy(const Series& series) {
  return series.unit == "J" && series.values >= 2 ? series.gain : std::nullopt;
}

Timeline BuildTimeline(const record::Record& record, const SampleSource& source,
                       std::size_t buckets, std::optional<Interval> window) {
  return std::move(
      BuildAll(record, source, buckets, {window ? *window : WindowOf(record)}).front());
}

Timeline ReadTimeline(const record::Record& record, std::size_t buckets,
                      std::optional<Interval> window) {
  return BuildTimeline(record, SamplesOf(record), buckets, window);
}

std::vector<Timeline> ReadTimelines(const record::Record& record, std::size_t buckets,
                                    const std::vector<Interval>& windows) {
  return BuildAll(record, SamplesOf(record), buckets, windows);
}

}  // namespace cbench::report
