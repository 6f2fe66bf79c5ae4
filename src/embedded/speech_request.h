// The wire side of /v1/audio/transcriptions: the multipart form in, JSON or text out.
#pragma once

#include <httplib.h>

#include <string>

#include "embedded/speech_model.h"

namespace cbench::embedded {

inline constexpr std::size_t kMaxSpeechBody = std::size_t{64} << 20;

struct SpeechForm {
  std::string audio;  // the file's bytes
  std::string response_format = "json";
  SpeechTask task;
};

// Errors name the form's field.
Result<SpeechForm> ParseSpeechForm(const httplib::Request& request);

struct SpeechTimes {
  double audio = 0;                        // seconds of sound
  Nanos decode = 0, queue = 0, total = 0;  // of the audio file; for its turn; all of it
};

void WriteTranscript(const Transcript& transcript, const SpeechTimes& times,
                     const std::string& response_format, httplib::Response& response);
}  // namespace cbench::embedded
