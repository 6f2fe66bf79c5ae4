// One request on one model: windows, encoder pass, decoder passes. See speech_model.h.
#pragma once

#include <optional>
#include <random>

#include "embedded/speech_model.h"

namespace cbench::embedded {

class SpeechDecoder {
 public:
  SpeechDecoder(whisper_context* context, const ThreadPool& pool, int threads, bool synthetic,
                const SpeechTask& task, share::StepHook& hook, const Stop& stop);

  Result<Transcript> Run(std::span<const float> samples);

 private:
  Result<> FindLanguage();
  Result<std::string> TranscribeWindow(std::span<const float> samples);
  share::StepInfo Step(share::StepKind kind, int size) const;
  Result<> Encode(std::span<const float> samples);
  // Logits of the last token, valid until the next pass.
  Result<std::span<const float>> Decode(std::span<const whisper_token> tokens, int past);
  Result<whisper_token> DetectLanguage();
  Result<std::vector<whisper_token>> Prompt();
  whisper_token Pick(std::span<const float> logits, bool first, bool may_end);
  Result<> CheckStop() const;

  whisper_context* context_;
  const ThreadPool& pool_;
  std::optional<ThreadPool::Seat> seat_;  // of this thread, but not while it makes others
  int threads_;
  bool synthetic_;
  const SpeechTask& task_;
  share::StepHook& hook_;
  const Stop& stop_;
  whisper_token language_ = -1;  // unset, or the model knows only one
  std::mt19937_64 random_;       // seeded the same for every request: equal input, equal text
  Transcript transcript_;
};

}  // namespace cbench::embedded
