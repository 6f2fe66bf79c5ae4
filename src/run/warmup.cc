#include "run/warmup.h"

#include "engine/wav.h"

namespace cbench::run {
namespace {

constexpr Nanos kWarmupTimeout = 120 * kSecond;

record::RequestDone ChatOnce(engine::Engine& engine, const Cancel& cancel) {
  engine::ChatRequest request;
  request.timeout = kWarmupTimeout;
  request.messages = {{"user", "Say a few words about the weather.", "", nullptr}};
  request.max_tokens = 8;
  return engine.Chat(request, cancel).done;
}

record::RequestDone ImageOnce(engine::Engine& engine, const Cancel& cancel) {
  engine::ImageRequest request;
  request.timeout = kWarmupTimeout;
  request.prompt = "a grey square";
  request.width = request.height = 256;
  request.steps = 1;
  return engine.Image(request, cancel).done;
}

record::RequestDone TranscribeOnce(engine::Engine& engine, const Cancel& cancel) {
  engine::SpeechRequest request;
  request.timeout = kWarmupTimeout;
  request.wav = engine::SilentWav(2 * kSecond);
  return engine.Transcribe(request, cancel).done;
}

record::RequestDone Once(engine::Engine& engine, engine::Modality modality, const Cancel& cancel) {
  switch (modality) {
    case engine::Modality::kText:
      return ChatOnce(engine, cancel);
    case engine::Modality::kImage:
      return ImageOnce(engine, cancel);
    case engine::Modality::kSpeech:
      return TranscribeOnce(engine, cancel);
  }
  return {};
}

}  // namespace

Result<> WarmUp(engine::Engine& engine, engine::Modality modality, int count,
                const Cancel& cancel) {
  for (int i = 0; i < count; ++i) {
    const auto done = Once(engine, modality, cancel);
    if (done.failure) {
      return Failure("engine {}: warm-up request failed: {}", engine.spec().name,
                     done.failure->message);
    }
  }
  return {};
}

}  // namespace cbench::run
