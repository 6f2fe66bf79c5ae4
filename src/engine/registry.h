// The protocols' descriptors, each defined at the end of its file in protocols/.
#pragma once

#include "engine/engine.h"

namespace cbench::engine {

extern const Protocol kOpenAiProtocol;

}  // namespace cbench::engine
