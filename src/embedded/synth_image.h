// Writes an image model of random weights as one GGUF file. The list of names it offers is
// ImageSynthModels() in synth_random.h.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "embedded/mmdit_config.h"
#include "embedded/model_store.h"

namespace cbench::embedded {

// `quant`: f32, f16, q8_0 or q4_0. Streams in pieces of a few MiB; errors name the path.
Result<> WriteImageModel(const ImageDims& dims, const std::string& quant,
                         const std::filesystem::path& path, const Progress& progress);

}  // namespace cbench::embedded
