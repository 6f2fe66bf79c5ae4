// What a scenario's engines would stumble over on this machine, asked before any of them starts.
#pragma once

#include <vector>

#include "base/result.h"
#include "scenario/scenario.h"

namespace cbench::cli {

// One error an engine, at most, each with file:line:column and the way out: `device: gpu` without a
// GPU, a model file that its engine cannot read. Files that are not there at all are
// scenario::MissingModels' to name. Looks at headers of files only; loads ggml's backends only if
// some engine wants a GPU.
std::vector<Error> Unusable(const scenario::Scenario& scenario);

}  // namespace cbench::cli
