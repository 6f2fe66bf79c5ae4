// The two ways to a running engine; launch.cc chooses. See launch.h.
#pragma once

#include "engine/launch.h"

namespace cbench::engine {

// Starts `cbench serve` as a child and waits until it has answered a real request.
Result<std::unique_ptr<Running>> StartEmbedded(const scenario::EngineSpec& spec, Modality modality,
                                               const LaunchOptions& options, const Cancel& cancel);

// Probes an engine that somebody else runs.
Result<std::unique_ptr<Running>> Attach(const scenario::EngineSpec& spec, Modality modality,
                                        const LaunchOptions& options, const Cancel& cancel);

// An engine that speaks spec.protocol at base_url; unknown protocols list the known ones.
Result<std::unique_ptr<Engine>> Connect(const scenario::EngineSpec& spec,
                                        const std::string& base_url);

// "scenario.yaml:4:3: engine 'text'", to begin an error with.
std::string Where(const scenario::EngineSpec& spec);

}  // namespace cbench::engine
