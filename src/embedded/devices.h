// What the embedded engines can run on here, for `cbench doctor`.
#pragma once

#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace cbench::embedded {

// ggml's devices: [{"name", "description", "type", "memory_bytes"}]; empty if no backend loads.
Json ComputeDevices();

struct EngineDescriptor {
  const char* name;      // as in a scenario's `use:`
  const char* modality;  // as in `cbench serve --modality`
  const char* summary;
  Result<> (*available)();
};
const std::vector<EngineDescriptor>& Engines();

}  // namespace cbench::embedded
