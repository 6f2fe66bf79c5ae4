#include "embedded/speech_model.h"

#include <cstdio>
#include <cstring>
#include <exception>

#include "embedded/ggml_device.h"
#include "embedded/model_file.h"
#include "embedded/speech_backend.h"
#include "embedded/speech_decode.h"
#include "embedded/speech_vocab.h"

namespace cbench::embedded {
namespace {

// libwhisper calls the callback that stops whisper_full early an error; to us it is the plan.
void LogWarning(ggml_log_level level, const char* text, void*) {
  if (level < GGML_LOG_LEVEL_WARN || level == GGML_LOG_LEVEL_CONT) return;
  if (std::strstr(text, "encoder_begin_callback returned false")) return;
  std::fputs(text, stderr);
}

// A damaged file makes libwhisper throw on sizes it cannot allocate.
whisper_context* Open(const std::filesystem::path& path, const whisper_context_params& params) {
  try {
    return whisper_init_from_file_with_params(path.c_str(), params);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), error.what());
    return nullptr;
  }
}

bool HasMarker(whisper_context* context) {
  return whisper_n_vocab(context) > kMarkerToken &&
         std::strcmp(whisper_token_to_str(context, kMarkerToken), kSyntheticMarker) == 0;
}

}  // namespace

std::string Transcript::Text() const {
  std::string text;
  for (const Segment& segment : segments) text += segment.text;
  return text;
}

Result<std::unique_ptr<SpeechModel>> SpeechModel::Load(const std::filesystem::path& path,
                                                       SpeechModelOptions options) {
  CBENCH_TRY(CheckModelFile("speech", path));
  CBENCH_ASSIGN(ggml_backend_dev_t found, FindDevice(options.device));
  options.pool.threads = ResolveThreads(options.pool.threads);
  ThreadPool pool;
  if (!options.pool.spin) {
    CBENCH_ASSIGN(pool, ThreadPool::Make(options.pool));
  }
  whisper_log_set(LogWarning, nullptr);
  whisper_context_params params = whisper_context_default_params();
  params.use_gpu = ggml_backend_dev_type(found) != GGML_BACKEND_DEVICE_TYPE_CPU;
  const PoolForWhisper for_backend(pool.get());
  whisper_context* context = Open(path, params);
  if (!context) {
    return InputError("model: libwhisper cannot load {}: damaged, or too large for this device",
                      path.string());
  }
  return std::unique_ptr<SpeechModel>(new SpeechModel(
      context, std::move(pool), ggml_backend_dev_name(found), options.pool.threads));
}

SpeechModel::SpeechModel(whisper_context* context, ThreadPool pool, std::string device, int threads)
    : pool_(std::move(pool)),
      context_(context),
      device_(std::move(device)),
      threads_(threads),
      synthetic_(HasMarker(context)) {}

Result<Transcript> SpeechModel::Transcribe(std::span<const float> samples, const SpeechTask& task,
                                           share::StepHook& hook, const Stop& stop) {
  try {
    return SpeechDecoder(context_.get(), pool_, threads_, synthetic_, task, hook, stop)
        .Run(samples);
  } catch (const std::exception& error) {  // libwhisper, out of memory
    return Failure("libwhisper: {}", error.what());
  }
}

WhisperShape SpeechModel::shape() const {
  whisper_context* c = context_.get();
  return {
      whisper_model_n_vocab(c),       whisper_model_n_audio_state(c), whisper_model_n_audio_head(c),
      whisper_model_n_audio_layer(c), whisper_model_n_text_head(c),   whisper_model_n_text_layer(c),
      whisper_model_n_mels(c),        whisper_model_n_audio_ctx(c),   whisper_model_n_text_ctx(c)};
}

Json SpeechModel::Facts() const {
  const WhisperShape s = shape();
  const auto type =
      ggml_ftype_to_ggml_type(static_cast<ggml_ftype>(whisper_model_ftype(context_.get())));
  return {{"architecture", "whisper"},
          {"synthetic", synthetic_},
          {"parameters", CountParameters(s)},
          {"quant", type == GGML_TYPE_COUNT ? "unknown" : ggml_type_name(type)},
          {"audio_layers", s.audio_layers},
          {"text_layers", s.text_layers},
          {"width", s.state},
          {"vocabulary", s.vocabulary},
          {"device", device_},
          {"threads", threads_},
          {"wait", pool_.get() ? "passive" : "spin"},
          {"libraries", {{"whisper", whisper_version()}, {"ggml", ggml_version()}}}};
}

}  // namespace cbench::embedded
