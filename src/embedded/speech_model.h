// One Whisper model on libwhisper, and the loop that turns audio into text with it.
//
// whisper_full() would do it in one call, but says only where encoder passes begin, not where
// decoder passes do; so the loop is ours, on whisper_encode and whisper_decode, and every pass
// stands between the step hook's Begin and End: nothing is computed on the device outside.
// (The mel spectrogram is computed on the CPU before, in about ten milliseconds for a 2 s clip.)
//
// Decoding is plain Whisper: start-of-transcript, language, "transcribe", "no timestamps", then
// the likeliest text token (or a sample, with a temperature) until end-of-text or the budget in
// speech_window.h. No beam, no fall-back to higher temperatures, no detection of silence.
//
// Not thread-safe: libwhisper keeps one request's state in the context. The service sees to it.
#pragma once

#include <whisper.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "embedded/speech_format.h"
#include "embedded/thread_pool.h"
#include "share/step_hook.h"

namespace cbench::embedded {

struct SpeechTask {
  std::string language{};  // "en", "english"; empty: detected by one more decoder pass
  std::string prompt{};    // text said to have come before
  double temperature = 0;
  share::Urgency urgency = {};  // for the step hook
};

struct Transcript {
  struct Segment {
    double start = 0, end = 0;  // seconds
    std::string text;           // bytes as the model wrote them, UTF-8 or not
  };
  std::vector<Segment> segments;  // one a window
  std::string language;           // code
  int prompt_tokens = 0, output_tokens = 0;
  int encoder_positions = 0;
  int encoder_passes = 0, decoder_passes = 0;
  Nanos mel = 0, encode = 0, decode = 0;  // time within the passes

  std::string Text() const;  // all segments'
};

// Asked between passes; true ends the request with a failure.
using Stop = std::function<bool()>;

struct SpeechModelOptions {
  std::string device = "auto";        // as in FindDevice
  PoolOptions pool = {.threads = 0};  // as in ResolveThreads; spin: libwhisper's own threads
};

class SpeechModel {
 public:
  static Result<std::unique_ptr<SpeechModel>> Load(const std::filesystem::path& path,
                                                   SpeechModelOptions options);

  // `samples` as DecodeAudio makes them. Input errors are the request's fault.
  Result<Transcript> Transcribe(std::span<const float> samples, const SpeechTask& task,
                                share::StepHook& hook, const Stop& stop);

  bool synthetic() const { return synthetic_; }
  WhisperShape shape() const;
  Json Facts() const;

 private:
  struct Deleter {
    void operator()(whisper_context* context) const { whisper_free(context); }
  };
  SpeechModel(whisper_context* context, ThreadPool pool, std::string device, int threads);

  ThreadPool pool_;  // outlives context_
  std::unique_ptr<whisper_context, Deleter> context_;
  std::string device_;
  int threads_;
  bool synthetic_;
};

}  // namespace cbench::embedded
