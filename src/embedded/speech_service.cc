// Speech behind the server: POST /v1/audio/transcriptions.
//
// Threads: each request is answered on one of the HTTP server's threads from end to end. Reading
// the audio file may overlap with another request; the model is used by whoever is inside the
// turnstile, one request at a time, in order of arrival. Between two passes the one inside looks
// whether the service is shutting down or its client has hung up.
//
// libwhisper starts its worker threads anew for each graph and joins them at its end, so nothing
// spins between passes whatever `wait` says (docs/speech.md).
#include <httplib.h>

#include "embedded/model_store.h"
#include "embedded/server.h"
#include "embedded/speech_audio.h"
#include "embedded/speech_model.h"
#include "embedded/speech_peer.h"
#include "embedded/speech_request.h"
#include "embedded/speech_turnstile.h"

namespace cbench::embedded {
namespace {

constexpr int kServerError = 500, kUnavailable = 503;

class SpeechService final : public Service {
 public:
  SpeechService(std::string name, std::unique_ptr<SpeechModel> model, share::StepHook& hook)
      : name_(std::move(name)), model_(std::move(model)), hook_(hook) {}

  void AddRoutes(httplib::Server& server) override {
    server.set_payload_max_length(kMaxSpeechBody);
    server.Post("/v1/audio/transcriptions", [this](const httplib::Request& request,
                                                   httplib::Response& response) {
      const auto done = Answer(request, response);
      if (done) return;
      WriteError(done.error(), turnstile_.closed() ? kUnavailable : kServerError, response);
    });
  }

  Json Facts() const override {
    Json facts = {{"modality", "speech"}, {"model", name_}};
    facts.update(model_->Facts());
    facts["wait"] = "passive";
    return facts;
  }

  void Shutdown() override { turnstile_.Close(); }

 private:
  Result<> Answer(const httplib::Request& request, httplib::Response& response) {
    const Nanos start = Now();
    SpeechTimes times;
    CBENCH_ASSIGN(const SpeechForm form, ParseSpeechForm(request));
    CBENCH_ASSIGN(const auto samples, DecodeAudio(form.audio));
    times.audio = static_cast<double>(samples.size()) / kSampleRate;
    times.decode = Now() - start;
    CBENCH_ASSIGN(const Transcript transcript,
                  InTurn(samples, form.task, Peer(request), times.queue));
    times.total = Now() - start;
    WriteTranscript(transcript, times, form.response_format, response);
    return {};
  }

  Result<Transcript> InTurn(std::span<const float> samples, const SpeechTask& task,
                            const Peer& peer, Nanos& queue) {
    const Nanos arrival = Now();
    if (!turnstile_.Enter()) return Failure("the server is shutting down");
    queue = Now() - arrival;
    auto transcript = model_->Transcribe(samples, task, hook_,
                                         [&] { return turnstile_.closed() || peer.HasHungUp(); });
    turnstile_.Leave();
    return transcript;
  }

  std::string name_;
  std::unique_ptr<SpeechModel> model_;  // used inside the turnstile, but for Facts
  share::StepHook& hook_;
  Turnstile turnstile_;
};

// Making a large model takes seconds; one line a tenth of the way is enough for a log.
Progress LogProgress(const std::string& model) {
  return [model, shown = std::uint64_t{0}](std::uint64_t done, std::uint64_t total) mutable {
    const std::uint64_t tenth = total ? 10 * done / total : 0;
    if (tenth <= shown) return;
    shown = tenth;
    std::fprintf(stderr, "making %s: %d %%\n", model.c_str(), static_cast<int>(tenth) * 10);
  };
}

}  // namespace

Result<std::unique_ptr<Service>> MakeSpeechService(const ServeOptions& options,
                                                   share::StepHook& hook) {
  CBENCH_ASSIGN(const auto path,
                ResolveModel(options.model, options.quant, LogProgress(options.model)));
  CBENCH_ASSIGN(auto model, SpeechModel::Load(path, options.device, options.threads));
  return std::make_unique<SpeechService>(options.model, std::move(model), hook);
}

}  // namespace cbench::embedded
