// Whole-file reading and writing, and where things live.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cbench {

constexpr std::size_t kMaxTextFile = 8u
                                     << 20;  // a scenario or recipe larger than this is a mistake

// Errors name the path and the system's reason. Files over `limit` bytes are refused unread.
Result<std::string> ReadFile(const std::filesystem::path& path, std::size_t limit = kMaxTextFile);

// Writes to a temporary neighbour, syncs it and renames: readers see the old or the new content.
Result<> WriteFileAtomic(const std::filesystem::path& path, std::string_view content);

// The project's folder with data/, scenarios/ and engines/: $CBENCH_HOME, else the installed or
// source folder this binary belongs to.
std::filesystem::path HomeDir();

// Synthetic models and other things that can be made again: $CBENCH_CACHE, else
// $XDG_CACHE_HOME/cbench, else ~/.cache/cbench.
std::filesystem::path CacheDir();

// This program's own file, for starting `cbench serve`.
std::filesystem::path SelfPath();

}  // namespace cbench
