// What the monitor saw, as series over time, for pictures and tables.
//
// A series is thinned while it is read, so that an hour of a fast probe fits into a page: all
// values of a bucket of time become one point with their mean and range. A gap (a value that could
// not be read, or a probe that went silent) is a point without a value, so that a line drawn
// through the points breaks there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/reader.h"
#include "report/intervals.h"
#include "report/probes.h"

namespace cbench::report {

struct TimelinePoint {
  Nanos t = 0;  // of the first value; from the clock base
  std::optional<double> mean, low, high;
};

struct Series {
  std::string probe, name, unit;
  std::vector<TimelinePoint> points;  // in order of time
  // Of all values inside the window, thinned or not.
  std::size_t values = 0, missing = 0;
  std::optional<double> mean, low, high, last;
  std::optional<double>
      gain;  // the last value less the first; null if one was under its predecessor
};

// Joules over the window, from a counter of energy that was read twice or more; null for others.
std::optional<double> Energy(const Series& series);

struct Timeline {
  Interval window = {0, 0};
  std::vector<ProbeState> probes;  // in order of name
  std::vector<Series> series;      // in order of appearance
  std::string reason;              // why samples.jsonl could not be read to its end; else empty
};

// The window is that of the whole record, or the one that is given; `buckets` is the largest
// number of points of a series without gaps, 0 for all. Never fails: a broken file's series end
// where it breaks, and `reason` says so.
Timeline ReadTimeline(const record::Record& record, std::size_t buckets,
                      std::optional<Interval> window = std::nullopt);

// The same from any source of samples, which calls its argument for each in the file's order.
using SampleSource = std::function<Result<>(const std::function<void(const record::Sample&)>&)>;
Timeline BuildTimeline(const record::Record& record, const SampleSource& source,
                       std::size_t buckets, std::optional<Interval> window = std::nullopt);

// One a window, in one reading of the file; the windows don't overlap.
std::vector<Timeline> ReadTimelines(const record::Record& record, std::size_t buckets,
                                    const std::vector<Interval>& windows);

// What `cbench monitor` shows and prints: a table of at most 80 columns; docs/monitor.md.
inline constexpr char kMonitorSchema[] = "cbench.monitor/1";
std::string ToTerminal(const Timeline& timeline, bool color);
Json ToJson(const Timeline& timeline);

// Whether the record is of `cbench monitor`: it has a timeline and nothing to judge.
bool IsMonitor(const record::Record& record);

// The longest silence of a probe that is no gap: readings may be late, but not by this many
// periods.
constexpr double kGapPeriods = 2.5;

}  // namespace cbench::report
