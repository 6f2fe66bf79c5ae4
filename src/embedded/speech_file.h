// Walks over a whisper.cpp model file (speech_format.h says what it holds) without reading its
// weights: whether it is whole. libwhisper itself believes every number in it.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

#include "base/result.h"

namespace cbench::embedded {

// `size` in bytes; `name` begins the error, which tells where the file ends or what is impossible.
Result<> CheckWhisperFile(std::istream& in, std::uint64_t size, const std::string& name);

}  // namespace cbench::embedded
