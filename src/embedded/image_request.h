// A body of POST /v1/images/generations, read and checked. Every error is the client's and names
// the parameter; unknown parameters are ignored, as OpenAI clients send some we have no use for.
#pragma once

#include <string>

#include "base/json.h"
#include "embedded/mmdit_config.h"
#include "share/step_hook.h"

namespace cbench::embedded {

struct ImageRequest {
  std::string prompt;
  int count = 1;  // images, seeds counting up from `seed`
  int width = 0, height = 0, steps = 0;
  float guidance = 1.0f;
  std::uint64_t seed = 0;
  bool stream = false;
  share::Urgency urgency;
};

// Absent size, steps and guidance are the model's defaults; an absent seed is `random_seed`.
Result<ImageRequest> ParseImageRequest(const Json& body, const ImageDims& dims,
                                       std::uint64_t random_seed);

}  // namespace cbench::embedded
