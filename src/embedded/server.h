// The loopback HTTP server around an embedded engine: `cbench serve` runs exactly one.
// It binds 127.0.0.1 (port 0: any free one), prints one line {"event":"listening","url":…} on
// stdout, answers GET /health (503 while loading, then 200 with facts) and the modality's OpenAI
// endpoints, and stops on SIGTERM, SIGINT or, with exit_with_parent, when stdin closes.
#pragma once

#include <memory>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "share/step_hook.h"

namespace httplib {
class Server;
}

namespace cbench::embedded {

struct ServeOptions {
  std::string modality;  // "text", "speech", "image"
  std::string model;     // path or synth:NAME
  std::string quant;
  std::string device = "auto";
  int port = 0;
  int parallel = 1, context = 4096, prefill_chunk = 256;  // context: tokens a slot
  int threads = 0;                                        // 0: all cores
  bool spin = false;       // worker threads spin between graphs, as ggml does by default
  bool own_cores = false;  // as in PoolOptions
  bool kv_offload = true;
  bool exit_with_parent = false;
};

// An engine behind the server. Made by MakeTextService, MakeSpeechService or MakeImageService,
// which load the model and so may take long; routes are added once, before listening.
class Service {
 public:
  virtual ~Service() = default;
  virtual void AddRoutes(httplib::Server& server) = 0;
  virtual std::size_t MaxBody() const { return std::size_t{8} << 20; }  // bytes of a request
  virtual Json Facts()
      const = 0;  // model, architecture, parameters, synthetic, threads, device, library versions
  virtual void Shutdown() = 0;  // ends requests in flight with an error
};

Result<std::unique_ptr<Service>> MakeTextService(const ServeOptions& options,
                                                 share::StepHook& hook);
Result<std::unique_ptr<Service>> MakeSpeechService(const ServeOptions& options,
                                                   share::StepHook& hook);
Result<std::unique_ptr<Service>> MakeImageService(const ServeOptions& options,
                                                  share::StepHook& hook);

// Runs until told to stop. Every step of the engine passes the hook.
Result<> Serve(const ServeOptions& options, std::unique_ptr<share::StepHook> hook);

}  // namespace cbench::embedded
