// Reads a record back: tolerant of a torn last line and of a run that never ended, strict
// about everything else (file:line in the error).
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "record/event.h"
#include "record/writer.h"

namespace cbench::record {

struct Record {
  std::filesystem::path directory;
  Header header;
  std::vector<Event> events;  // in file order, times relative to the clock base
  bool torn = false;          // the last line was cut off and ignored
  int skipped = 0;            // events of kinds that only a newer cbench knows
};

// Errors are the user's to fix (kInput) and start with the file, and the line if there is one.
Result<Record> Read(const std::filesystem::path& directory);

// Calls `visit` for each sample without holding them all.
Result<> ReadSamples(const std::filesystem::path& directory,
                     const std::function<void(const Sample&)>& visit);

}  // namespace cbench::record
