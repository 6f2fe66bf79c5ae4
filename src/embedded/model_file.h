// What a model file says of itself, read without its weights: enough to refuse one that is
// something else or was cut short before any engine starts on it.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace cbench::embedded {

// Whether the engine of this modality ("text", "speech", "image") can begin to load the file: GGUF
// with weights and a vocabulary, whisper.cpp's format, GGUF of our image models; all of it there.
// The error is one line that begins with the path and says what to do.
Result<> CheckModelFile(std::string_view modality, const std::filesystem::path& path);

}  // namespace cbench::embedded
