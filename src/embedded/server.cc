// `cbench serve`: listen first, load meanwhile, answer until told to stop.
//
// Threads: the caller's waits for the stop; one accepts (LoopbackServer's pool answers); one makes
// and loads the model and ends. `service` is written by the loader before ready_ is released, and
// read by handlers only after they have seen ready_, which also orders the adding of routes.
#include "embedded/server.h"

#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "embedded/http_reply.h"
#include "embedded/loopback_server.h"
#include "embedded/model_store.h"
#include "embedded/stop_signal.h"

namespace cbench::embedded {
namespace {

constexpr auto kStopLimit = std::chrono::milliseconds(900);
constexpr auto kAnswerLimit = std::chrono::milliseconds(300);
constexpr Nanos kProgressInterval = 200 * kMillisecond;

using Handled = httplib::Server::HandlerResponse;

void PrintLine(const Json& line) {
  std::printf("%s\n", DumpJson(line).c_str());
  std::fflush(stdout);
}

Progress PrintProgress(std::string what) {
  return
      [what = std::move(what), next = Nanos{0}](std::uint64_t done, std::uint64_t total) mutable {
        if (Now() < next && done < total) return;
        next = Now() + kProgressInterval;
        PrintLine({{"event", "progress"}, {"what", what}, {"done", done}, {"total", total}});
      };
}

Result<std::unique_ptr<Service>> MakeService(const ServeOptions& options, share::StepHook& hook) {
  CBENCH_TRY(ResolveModel(options.model, options.quant,
                          PrintProgress(fmt::format("making {}", options.model))));
  if (options.modality == "text") return MakeTextService(options, hook);
  if (options.modality == "speech") return MakeSpeechService(options, hook);
  return MakeImageService(options, hook);
}

// Bounds a stop: cuts clients that are still being answered, then, if a step in progress cannot
// be interrupted, ends the process.
class StopLimit {
 public:
  explicit StopLimit(LoopbackServer& server) : server_(server), thread_([this] { Watch(); }) {}
  ~StopLimit() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  StopLimit(const StopLimit&) = delete;
  StopLimit& operator=(const StopLimit&) = delete;

 private:
  void Watch() {
    if (Done(kAnswerLimit)) return;
    server_.Abort();
    if (!Done(kStopLimit - kAnswerLimit)) std::_Exit(0);
  }

  bool Done(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, limit, [this] { return done_; });
  }

  LoopbackServer& server_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;  // guarded by mutex_
  std::thread thread_;
};

class Session {
 public:
  Session(const ServeOptions& options, std::unique_ptr<share::StepHook> hook)
      : options_(options),
        stop_(options.exit_with_parent),
        server_(options.parallel + 64),
        hook_(std::move(hook)) {}

  Result<> Run() {
    CBENCH_ASSIGN(const int port, server_.Bind(options_.port));
    InstallHandlers();
    PrintLine({{"event", "listening"}, {"url", fmt::format("http://127.0.0.1:{}", port)}});
    std::thread accepting([this] { server_.Run(); });
    std::thread loading([this] { Load(); });
    stop_.Wait();
    const StopLimit limit(server_);
    Stop();
    loading.join();
    accepting.join();
    service_.reset();  // within the limit: a large vocabulary takes a while to free
    return failure_;
  }

 private:
  // While a model is being made or loaded nothing can be finished in time: end at once. A file
  // half made is removed by whoever makes a model next.
  void Stop() {
    if (!loaded_) std::_Exit(0);
    if (ready_) service_->Shutdown();
    server_.Stop();
  }

  void Load() {
    auto service = MakeService(options_, *hook_);
    if (service) {
      service_ = std::move(*service);
      server_.LimitBody(service_->MaxBody());
      service_->AddRoutes(server_);
      ready_ = true;
    } else {
      failure_ = tl::unexpected(std::move(service).error());
    }
    loaded_ = true;
    if (!ready_) stop_.Trigger();
  }

  void InstallHandlers() {
    server_.set_pre_routing_handler([this](const auto& request, auto& response) {
      return ready_ ? Common(request, response) : Loading(response);
    });
    server_.set_error_handler([](const httplib::Request& request, httplib::Response& response) {
      if (response.body.empty()) Refuse(request, response);
    });
    server_.set_exception_handler([](const auto&, auto& response, const std::exception_ptr&) {
      ReplyError(response, 500, "the engine failed on this request; its log may say why");
    });
  }

  static Handled Loading(httplib::Response& response) {
    Json body = ErrorBody(503, "the model is still loading");
    body["status"] = "loading";
    response.status = 503;
    ReplyJson(response, body);
    LoopbackServer::CloseAfterReply();
    return Handled::Handled;
  }

  // A compressed body has no known size before it is unpacked.
  static Handled Encoded(httplib::Response& response) {
    ReplyError(response, 415, "compressed bodies are not read; send it without Content-Encoding");
    LoopbackServer::CloseAfterReply();
    return Handled::Handled;
  }

  Handled Common(const httplib::Request& request, httplib::Response& response) const {
    if (request.has_header("Content-Encoding")) return Encoded(response);
    if (request.method != "GET") return Handled::Unhandled;
    if (request.path == "/health") {
      ReplyJson(response, Health());
    } else if (request.path == "/v1/models") {
      ReplyJson(response, ModelList());
    } else {
      return Handled::Unhandled;
    }
    return Handled::Handled;
  }

  Json Health() const {
    Json body = {{"status", "ok"}};
    body.update(service_->Facts());
    return body;
  }

  Json ModelList() const {
    Json model = {{"id", service_->Facts().value("model", options_.model)},
                  {"object", "model"},
                  {"owned_by", "cbench"}};
    return {{"object", "list"}, {"data", Json::array({model})}};
  }

  // What httplib refuses by itself. But for an unknown path it has not read the request to its end.
  static void Refuse(const httplib::Request& request, httplib::Response& response) {
    const int overrun = LoopbackServer::Overrun();
    const int status = overrun != 0 ? overrun : response.status;
    ReplyError(response, status, Explain(request, status));
    if (status != 404) LoopbackServer::CloseAfterReply();
  }

  static std::string Explain(const httplib::Request& request, int status) {
    switch (status) {
      case 404:
        return fmt::format("no {} {} here", request.method, request.path);
      case 413:
        return "the body is larger than this engine reads";
      case 431:
        return "the headers are larger than this engine reads";
      default:
        return "the request could not be read";
    }
  }

  ServeOptions options_;
  StopSignal stop_;
  LoopbackServer server_;
  std::unique_ptr<share::StepHook> hook_;
  std::unique_ptr<Service> service_;
  Result<> failure_;
  std::atomic<bool> ready_ = false, loaded_ = false;
};

}  // namespace

Result<> Serve(const ServeOptions& options, std::unique_ptr<share::StepHook> hook) {
  for (const char* modality : {"text", "speech", "image"}) {
    if (options.modality == modality) return Session(options, std::move(hook)).Run();
  }
  return InputError("modality: '{}' is not text, speech or image", options.modality);
}

}  // namespace cbench::embedded
