// A gzip file written piece by piece, for what is too large to be held as a whole.
#pragma once

#include <zlib.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cbench::report {

// Writes to a temporary neighbour, which Finish() syncs and renames: readers see the old or the new
// file. Without Finish(), or after an error, nothing is left. Not thread-safe.
class GzipFile {
 public:
  explicit GzipFile(std::filesystem::path path);
  ~GzipFile();
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  // Errors are kept for Finish(); after the first one nothing is written any more.
  void Write(std::string_view text);

  // Errors name the path and the system's reason (Failure).
  Result<> Finish();

 private:
  void Fail();

  const std::filesystem::path path_;
  const std::string temporary_;
  int fd_ = -1;  // the same file as file_ writes to, for fsync
  gzFile file_ = nullptr;
  std::string error_;
};

}  // namespace cbench::report
