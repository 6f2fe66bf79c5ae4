// Speech behind the server: POST /v1/audio/transcriptions.
//
// Threads: each request is answered on one of the HTTP server's threads from end to end. Reading
// the audio file may overlap with another request; the model is used by whoever is inside the
// turnstile, one request at a time, in order of arrival. Between two passes the one inside looks
// whether the service is shutting down or its client has hung up.
#include <httplib.h>

#include <span>

#include "embedded/http_reply.h"
#include "embedded/loopback_server.h"
#include "embedded/model_store.h"
#include "embedded/server.h"
#include "embedded/speech_audio.h"
#include "embedded/speech_model.h"
#include "embedded/speech_request.h"
#include "embedded/speech_turnstile.h"

namespace cbench::embedded {
namespace {

class SpeechService final : public Service {
 public:
  SpeechService(std::string name, std::unique_ptr<SpeechModel> model, share::StepHook& hook)
      : name_(std::move(name)), model_(std::move(model)), hook_(hook) {}

  std::size_t MaxBody() const override { return kMaxSpeechBody; }

  void AddRoutes(httplib::Server& server) override {
    server.Post("/v1/audio/transcriptions", [this](const auto& request, auto& response) {
      const auto done = Answer(request, response);
      if (!done) ReplyError(response, Status(done.error()), done.error().message);
    });
  }

  Json Facts() const override {
    Json facts = {{"modality", "speech"}, {"model", name_}};
    facts.update(model_->Facts());
    return facts;
  }

  void Shutdown() override { turnstile_.Close(); }

 private:
  int Status(const Error& error) const {
    if (error.kind == ErrorKind::kInput) return 400;
    return turnstile_.closed() ? 503 : 500;
  }

  Result<> Answer(const httplib::Request& request, httplib::Response& response) {
    const Nanos start = Now();
    SpeechTimes times;
    CBENCH_ASSIGN(const SpeechForm form, ParseSpeechForm(request));
    CBENCH_ASSIGN(const auto samples, DecodeAudio(form.audio));
    times.audio = static_cast<double>(samples.size()) / kSampleRate;
    times.decode = Now() - start;
    CBENCH_ASSIGN(const Transcript transcript, InTurn(samples, form.task, times.queue));
    times.total = Now() - start;
    WriteTranscript(transcript, times, form.response_format, response);
    return {};
  }

  Result<Transcript> InTurn(std::span<const float> samples, const SpeechTask& task, Nanos& queue) {
    const Nanos arrival = Now();
    if (!turnstile_.Enter()) return Failure("the server is shutting down");
    queue = Now() - arrival;
    auto transcript = model_->Transcribe(
        samples, task, hook_, [this] { return turnstile_.closed() || LoopbackServer::PeerGone(); });
    turnstile_.Leave();
    return transcript;
  }

  std::string name_;
  std::unique_ptr<SpeechModel> model_;  // used inside the turnstile, but for Facts
  share::StepHook& hook_;
  Turnstile turnstile_;
};

}  // namespace

Result<std::unique_ptr<Service>> MakeSpeechService(const ServeOptions& options,
                                                   share::StepHook& hook) {
  CBENCH_ASSIGN(const auto path, ResolveModel(options.model, options.quant, {}));
  CBENCH_ASSIGN(auto model, SpeechModel::Load(path, {.device = options.device,
                                                     .pool = {.threads = options.threads,
                                                              .spin = options.spin,
                                                              .own_cores = options.own_cores}}));
  hook.AddWorkers(PoolThreads());
  return std::make_unique<SpeechService>(options.model, std::move(model), hook);
}

}  // namespace cbench::embedded
