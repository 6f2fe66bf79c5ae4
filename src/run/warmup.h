// Requests sent to an engine before the clock starts, so that the first measured one does not pay
// for cold caches, page faults and graph set-up.
#pragma once

#include "engine/launch.h"

namespace cbench::run {

// `count` small requests, one after the other; the first failure is an error that names the engine.
Result<> WarmUp(engine::Engine& engine, engine::Modality modality, int count, const Cancel& cancel);

}  // namespace cbench::run
