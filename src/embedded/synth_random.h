// Random weights. Deterministic in the seed, whatever the number of threads.
#pragma once

#include <ggml.h>

#include <cstdint>
#include <vector>

#include "embedded/model_store.h"

namespace cbench::embedded {

// Rows [first, first + rows) of a tensor whose rows hold `width` values, near-normal with standard
// deviation `sigma`, converted to `type` (any type ggml quantises without an importance matrix).
// Works on all cores; returns ggml_row_size(type, width) · rows bytes.
std::vector<char> RandomRows(ggml_type type, std::int64_t width, std::int64_t first,
                             std::int64_t rows, float sigma, std::uint64_t seed);

// The families' tables; model_registry.cc joins them.
std::vector<SynthModel> TextSynthModels();
std::vector<SynthModel> SpeechSynthModels();
std::vector<SynthModel> ImageSynthModels();

}  // namespace cbench::embedded
