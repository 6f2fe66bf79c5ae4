#include "engine/readiness.h"

#include <algorithm>
#include <bit>

#include "base/http_client.h"
#include "base/units.h"

namespace cbench::engine {
namespace {

constexpr Nanos kHealthTimeout = 10 * kSecond;
constexpr Nanos kHealthInterval = 20 * kMillisecond;  // also the resolution of load_time
constexpr std::size_t kMaxJson = 1u << 20;

// One second of silence as a WAV file: 16 kHz, mono, 16 bits.
std::string SilentWav() {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint32_t kRate = 16000, kBytes = kRate * 2;
  std::string wav;
  const auto put = [&wav](auto value) {
    wav.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  wav += "RIFF";
  put(std::uint32_t{36 + kBytes});
  wav += "WAVEfmt ";
  put(std::uint32_t{16});         // size of this chunk
  put(std::uint16_t{1});          // PCM
  put(std::uint16_t{1});          // channels
  put(std::uint32_t{kRate});      // samples a second
  put(std::uint32_t{kRate * 2});  // bytes a second
  put(std::uint16_t{2});          // bytes a sample
  put(std::uint16_t{16});         // bits a sample
  wav += "data";
  put(std::uint32_t{kBytes});
  wav.append(kBytes, '\0');
  return wav;
}

record::RequestDone AskOnce(Engine& engine, const ProofOptions& options, const Cancel& cancel) {
  const Nanos timeout = std::max<Nanos>(options.deadline - Now(), kMillisecond);
  if (options.modality == Modality::kText) {
    ChatRequest request;
    request.timeout = timeout;
    request.messages = {{"user", "Hello", {}, nullptr}};
    request.max_tokens = 8;
    request.ignore_eos = options.embedded;  // random weights may end at once
    return engine.Chat(request, cancel).done;
  }
  if (options.modality == Modality::kSpeech) {
    SpeechRequest request;
    request.timeout = timeout;
    const std::string wav = SilentWav();
    request.wav = wav;
    return engine.Transcribe(request, cancel).done;
  }
  ImageRequest request;
  request.timeout = timeout;
  request.prompt = "a cup of tea";
  request.width = request.height = options.embedded ? 64 : 256;
  request.steps = 1;
  return engine.Image(request, cancel).done;
}

bool StillLoading(const record::Failure& failure) {
  return failure.kind == "http" && failure.message.starts_with("HTTP 503");
}

}  // namespace

JsonAnswer GetJson(const std::string& url, Nanos timeout, const Cancel& cancel) {
  HttpRequest request;
  request.url = url;
  request.timeout = timeout;
  request.max_response = kMaxJson;
  std::string body;
  const auto outcome = SharedHttpClient().Perform(
      std::move(request),
      [&body](const HttpChunk& chunk) {
        body += chunk.bytes;
        return true;
      },
      cancel);
  if (!outcome) return {0, nullptr, outcome.error().message};
  if (outcome->end != HttpEnd::kComplete) return {0, nullptr, outcome->message};
  auto json = ParseJson(body, url);
  return {outcome->status, json ? *std::move(json) : Json(nullptr), ""};
}

Result<Json> WaitHealthy(const std::string& health, Nanos deadline, const Cancel& cancel) {
  for (;;) {
    JsonAnswer answer = GetJson(health, kHealthTimeout, cancel);
    if (answer.status == 200) return std::move(answer.body);
    if (answer.status != 0 && answer.status != 503) {
      return Failure("{} answers HTTP {}", health, answer.status);
    }
    if (cancel.WaitUntil(std::min(deadline, Now() + kHealthInterval))) {
      return Failure("cancelled while waiting for {}", health);
    }
    if (Now() >= deadline) return Failure("{} does not become ready", health);
  }
}

Result<> Prove(Engine& engine, const ProofOptions& options, const Cancel& cancel) {
  for (;;) {
    const record::RequestDone done = AskOnce(engine, options, cancel);
    if (!done.failure) return {};
    if (!StillLoading(*done.failure) || Now() >= options.deadline) {
      return Failure("a first real request failed ({}): {}", done.failure->kind,
                     done.failure->message);
    }
    if (cancel.WaitUntil(std::min(options.deadline, Now() + 10 * kHealthInterval))) {
      return Failure("cancelled while it was loading");
    }
  }
}

}  // namespace cbench::engine
