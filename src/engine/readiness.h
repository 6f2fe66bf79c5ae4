// Whether an engine is ready: what it says of itself, and one tiny real request as the proof.
#pragma once

#include <string>

#include "engine/engine.h"
#include "engine/launch.h"

namespace cbench::engine {

// GET url as JSON. The status is 0 if there was no answer, and `body` null if it was not JSON.
struct JsonAnswer {
  int status = 0;
  Json body = nullptr;
  std::string message;  // why there was no answer
};
JsonAnswer GetJson(const std::string& url, Nanos timeout, const Cancel& cancel);

// Asks `health` until it says 200 and returns its facts. 503 and no connection mean "wait".
Result<Json> WaitHealthy(const std::string& health, Nanos deadline, const Cancel& cancel);

// One tiny request of the modality, repeated while the answer is 503. Errors say what came back.
struct ProofOptions {
  Modality modality;
  bool embedded;  // ours: may be asked for less than a foreign engine accepts
  Nanos deadline;
};
Result<> Prove(Engine& engine, const ProofOptions& options, const Cancel& cancel);

}  // namespace cbench::engine
