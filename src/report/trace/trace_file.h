// Events in Chrome's trace event format, which Perfetto opens, one a line. Times are whole
// microseconds from the trace's beginning: as fractions, begin + length of a slice could be rounded
// to past the end of the slice around it. Tracks must be announced; a process is a group of them.
//   https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "report/trace/gzip_file.h"
#include "report/trace/lanes.h"

namespace cbench::report {

// A row of slices.
struct Track {
  int process = 0, thread = 0;
};

// Not thread-safe. Errors of writing are kept for Finish().
class TraceFile {
 public:
  // `origin`: the time that is 0 in the trace; what is before it is moved there.
  TraceFile(const std::filesystem::path& path, Nanos origin);

  // Shown in the order of these calls.
  int AddProcess(std::string_view name);
  Track AddTrack(int process, std::string_view name);

  // Slices of a track must nest and an outer one comes first. `args` is an object, or null.
  void Slice(Track track, std::string_view name, Nanos begin, Nanos end, const Json& args = {});
  void Instant(Track track, std::string_view name, Nanos t);
  // One reading of several counters of a process; each is shown as "group name".
  void Counters(int process, std::string_view group, Nanos t,
                std::span<const std::pair<std::string, double>> values);

  Result<> Finish();

 private:
  void Describe(Track track, std::string_view what, std::string_view name);
  std::int64_t Micros(Nanos t) const;
  void Put(const std::string& event);

  GzipFile file_;
  const Nanos origin_;
  int last_id_ = 0;  // processes and threads share their numbers, so that none is mistaken
  bool is_first_ = true;
};

// As many tracks as spans overlap: "name", "name (2)", …
class LanedTrack {
 public:
  LanedTrack(TraceFile& file, int process, std::string name)
      : file_(file), process_(process), name_(std::move(name)) {}

  // A track on which nothing is from begin to end. Calls come in order of begin.
  Track Take(Nanos begin, Nanos end);

 private:
  TraceFile& file_;
  const int process_;
  const std::string name_;
  Lanes lanes_;
  std::vector<Track> tracks_;
};

}  // namespace cbench::report
