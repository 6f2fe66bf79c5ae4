// POST /v1/images/generations over the image engine.
//
// Threads: each handler runs on a thread of the HTTP server, hands its request to the worker and
// passes on what comes back. While it waits it looks whether its client is still there; a client
// that is gone cancels its images, at the latest after the group of blocks being computed.
#include <httplib.h>

#include <ctime>
#include <random>

#include "base/base64.h"
#include "embedded/http_reply.h"
#include "embedded/http_urgency.h"
#include "embedded/image_worker.h"
#include "embedded/loopback_server.h"
#include "embedded/model_store.h"
#include "embedded/server.h"

namespace cbench::embedded {
namespace {

constexpr Nanos kPeerCheck = 100 * kMillisecond;

std::uint64_t RandomSeed() { return std::random_device{}(); }

Json EventBody(const ImageEvent& event, const ImageRequest& request) {
  if (event.kind == ImageEvent::kError) return ErrorBody(500, event.text);
  if (event.kind == ImageEvent::kStep) {
    return {{"type", "image_generation.step"},
            {"index", event.index},
            {"step", event.step},
            {"total", request.steps},
            {"ms", static_cast<double>(event.took) / kMillisecond}};
  }
  return {{"type", "image_generation.completed"},
          {"index", event.index},
          {"b64_json", EncodeBase64(event.text)},
          {"seed", event.seed},
          {"size", fmt::format("{}x{}", request.width, request.height)},
          {"output_format", "png"},
          {"created_at", std::time(nullptr)}};
}

// Waits for the task's next event; none when its client is gone, which cancels it.
template <typename Gone>
std::optional<ImageEvent> WaitForEvent(ImageTask& task, Gone gone) {
  while (!gone()) {
    if (auto event = task.Next(kPeerCheck)) return event;
  }
  task.Cancel();
  return std::nullopt;
}

void AnswerWhole(ImageTask& task, httplib::Response& response) {
  Json data = Json::array();
  while (const auto event = WaitForEvent(task, LoopbackServer::PeerGone)) {
    if (event->kind == ImageEvent::kError) return ReplyError(response, 500, event->text);
    if (event->kind == ImageEvent::kEnd) {
      return ReplyJson(response, {{"created", std::time(nullptr)}, {"data", std::move(data)}});
    }
    if (event->kind != ImageEvent::kImage) continue;
    data.push_back({{"b64_json", EncodeBase64(event->text)}, {"seed", event->seed}});
  }
}

// One piece of the stream a call; false ends the connection.
bool WriteNext(ImageTask& task, httplib::DataSink& sink) {
  const auto event = WaitForEvent(task, [&] { return !sink.is_writable(); });
  if (!event) return false;
  const bool last = event->kind == ImageEvent::kError || event->kind == ImageEvent::kEnd;
  std::string text;
  if (event->kind != ImageEvent::kEnd) text += Event(EventBody(*event, task.request()));
  if (last) text += "data: [DONE]\n\n";
  if (!sink.write(text.data(), text.size())) return false;
  if (last) sink.done();
  return true;
}

void AnswerStream(const std::shared_ptr<ImageTask>& task, httplib::Response& response) {
  response.set_chunked_content_provider(
      "text/event-stream",
      [task](std::size_t, httplib::DataSink& sink) { return WriteNext(*task, sink); },
      [task](bool) { task->Cancel(); });
}

class ImageService final : public Service {
 public:
  ImageService(std::unique_ptr<ImageEngine> engine, const ServeOptions& options)
      : worker_(std::move(engine)), options_(options) {}

  void AddRoutes(httplib::Server& server) override {
    server.Post("/v1/images/generations",
                [this](const httplib::Request& request, httplib::Response& response) {
                  Answer(request, response);
                });
  }

  Json Facts() const override {
    const ImageEngine& engine = worker_.engine();
    const ImageDims& dims = engine.weights().dims();
    return {{"model", dims.name},
            {"modality", "image"},
            {"architecture", "sd3.5-medium: MMDiT-X denoiser and VAE decoder"},
            {"parameters", engine.weights().Parameters()},
            {"quant", engine.weights().Quant()},
            {"weights_bytes", engine.weights().Bytes()},
            {"synthetic", dims.synthetic},
            {"text_encoder", "stand-in"},
            {"blocks", dims.mmdit.depth},
            {"width", dims.mmdit.width},
            {"block_groups", engine.options().groups},
            {"guidance_doubles_batch", true},
            {"default_size", fmt::format("{0}x{0}", dims.default_side)},
            {"default_steps", dims.default_steps},
            {"default_guidance", dims.default_guidance},
            {"threads", engine.options().threads},
            {"wait", options_.spin ? "spin" : "passive"},
            {"device", engine.DeviceName()},
            {"libraries", {{"ggml", ggml_version()}}}};
  }

  void Shutdown() override { worker_.Stop(); }

 private:
  void Answer(const httplib::Request& http, httplib::Response& response) {
    const auto body = ParseBody(http.body);
    if (!body) return ReplyError(response, 400, body.error().message);
    auto request = ParseImageRequest(*body, worker_.engine().weights().dims(), RandomSeed());
    if (!request) return ReplyError(response, 400, request.error().message);
    request->urgency = ReadUrgency(http);
    const bool stream = request->stream;
    const auto task = worker_.Submit(std::move(*request));
    if (!task) return ReplyError(response, 503, "the image queue is full; try again later");
    stream ? AnswerStream(task, response) : AnswerWhole(*task, response);
  }

  ImageWorker worker_;
  const ServeOptions options_;
};

}  // namespace

Result<std::unique_ptr<Service>> MakeImageService(const ServeOptions& options,
                                                  share::StepHook& hook) {
  CBENCH_ASSIGN(const auto path, ResolveModel(options.model, options.quant, nullptr));
  CBENCH_ASSIGN(auto engine, ImageEngine::Load(path,
                                               {.device = options.device,
                                                .threads = options.threads,
                                                .spin = options.spin,
                                                .own_cores = options.own_cores},
                                               hook));
  return std::make_unique<ImageService>(std::move(engine), options);
}

}  // namespace cbench::embedded
