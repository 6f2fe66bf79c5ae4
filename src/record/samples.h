// The lines of samples.jsonl. A device has hundreds of series, read many times a second for an
// hour, so a line holds a whole reading of a probe and units are written once:
//   {"probe":"memory","units":{"available":"bytes"}}       before the first value of a series
//   {"t":5000,"probe":"memory","values":{"available":4096,"swap_used":null}}
// Records of minor 1 and before have {"t","probe","name","value","unit"} a line; those are read
// too.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "record/event.h"

namespace cbench::record {

// Not thread-safe; one a file.
class SampleLines {
 public:
  // Neighbours of one probe and time become one line. Times are written relative to `clock_base`;
  // a value that is no finite number becomes null.
  std::string Format(std::span<const Sample> samples, Nanos clock_base);

 private:
  // A series' name as a JSON string with the colon behind it.
  using Keys = std::map<std::string, std::string, std::less<>>;

  void Announce(std::span<const Sample> reading, Keys& keys, std::string& out);

  std::map<std::string, Keys, std::less<>> probes_;
};

class SampleReader {
 public:
  explicit SampleReader(std::function<void(const Sample&)> visit) : visit_(std::move(visit)) {}
  Result<> Take(const Json& line);

 private:
  Result<> TakeUnits(const std::string& probe, const Json& units);
  Result<> TakeValues(const Json& line, const std::string& probe, const Json& values);

  const std::function<void(const Sample&)> visit_;
  std::map<std::pair<std::string, std::string>, std::string> units_;  // (probe, name) -> unit
};

}  // namespace cbench::record
