// Audio transcription: the multipart form out, {"text": …} back.
#pragma once

#include <string>
#include <string_view>

#include "engine/engine.h"

namespace cbench::engine {

struct Multipart {
  std::string content_type;  // with its boundary
  std::string body;
};

// One file field and text fields, as RFC 7578 wants them.
Multipart SpeechForm(const SpeechRequest& request, const std::string& model);

// Judges the body of a 200 response: sets answer.text and done.output, or done.failure.
void TakeTranscript(std::string_view body, SpeechAnswer& answer);

}  // namespace cbench::engine
