// How much of libllama's speed the text engine passes on: prefill and decode over HTTP, streaming,
// beside the bare llama_decode loop. Both run as a child process of this program with the same
// threads, pool, model and step size; only one computes at a time, and they take turns, so that a
// neighbour's load or a change of clock falls on both. The bare loop is fed fixed tokens and does
// not even sample.
//
//   text_bench [MODEL] [ROUNDS]      MODEL: synth:llama-3.2-3b-demo or any GGUF file
#include <httplib.h>
#include <llama.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "child.h"
#include "embedded/ggml_device.h"
#include "embedded/model_store.h"
#include "embedded/server.h"
#include "embedded/text_model.h"
#include "embedded/thread_pool.h"

namespace cbench {
namespace {

constexpr int kPrompt = 512;  // tokens
constexpr int kAnswer = 64;
constexpr int kWarmUp = 1000;  // a round's number that no measured round has
constexpr double kTarget = 0.95;

embedded::ServeOptions Options(const std::string& model) {
  embedded::ServeOptions options;
  options.modality = "text";
  options.model = model;
  options.context = kPrompt + kAnswer + 64;
  options.exit_with_parent = true;
  return options;
}

// Different in every round, so that no cache helps.
std::vector<llama_token> Prompt(int round) {
  std::vector<llama_token> tokens;
  for (int i = 0; i < kPrompt; ++i) tokens.push_back(1000 + (i * 7919 + round * 104729) % 20000);
  return tokens;
}

struct Times {
  double prefill = 0, decode = 0;  // tokens a second
};

// --- The reference: reads a round's number from stdin, prints its two times, until stdin ends.

struct ContextDeleter {
  void operator()(llama_context* context) const { llama_free(context); }
};
using Context = std::unique_ptr<llama_context, ContextDeleter>;

Context MakeContext(llama_model* model, const embedded::ServeOptions& options, int threads,
                    ggml_threadpool* pool) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(options.context);
  params.n_batch = params.n_ubatch = static_cast<std::uint32_t>(options.prefill_chunk);
  params.n_threads = params.n_threads_batch = threads;
  params.no_perf = true;
  Context context(llama_init_from_model(model, params));
  if (context) llama_attach_threadpool(context.get(), pool, pool);
  return context;
}

bool Decode(llama_context* context, llama_token* tokens, int count) {
  const bool done = llama_decode(context, llama_batch_get_one(tokens, count)) == 0;
  llama_synchronize(context);
  return done;
}

Times RawRound(llama_context* context, int round, int chunk) {
  llama_memory_clear(llama_get_memory(context), true);
  auto tokens = Prompt(round);
  const Nanos start = Now();
  for (int at = 0; at < kPrompt; at += chunk) {
    if (!Decode(context, tokens.data() + at, std::min(chunk, kPrompt - at))) return {};
  }
  const Nanos middle = Now();
  for (int i = 0; i + 1 < kAnswer; ++i) {
    if (!Decode(context, &tokens[static_cast<std::size_t>(i)], 1)) return {};
  }
  return {kPrompt / ToSeconds(middle - start), (kAnswer - 1) / ToSeconds(Now() - middle)};
}

Result<> Raw(const embedded::ServeOptions& options) {
  CBENCH_ASSIGN(auto model, embedded::TextModel::Load(options));
  const int threads = embedded::ResolveThreads(options.threads);
  CBENCH_ASSIGN(auto pool, embedded::ThreadPool::Make({.threads = threads, .spin = options.spin}));
  const Context context = MakeContext(model->llama(), options, threads, pool.get());
  if (!context) return Failure("no context");
  RawRound(context.get(), kWarmUp, options.prefill_chunk);
  std::printf("ready\n");
  std::fflush(stdout);
  for (int round = 0; std::scanf("%d", &round) == 1;) {
    const Times times = RawRound(context.get(), round, options.prefill_chunk);
    std::printf("%.6f %.6f\n", times.prefill, times.decode);
    std::fflush(stdout);
  }
  return {};
}

Times Reference(Child& child, int round) {
  Times times;
  if (!child.Tell(round)) return {};
  if (std::sscanf(child.ReadLine().c_str(), "%lf %lf", &times.prefill, &times.decode) != 2)
    return {};
  return times;
}

// --- The engine, as a client sees it

class Client {
 public:
  explicit Client(const std::string& url) : http_(url) { http_.set_read_timeout(600); }

  bool WaitUntilReady() {
    for (const Nanos limit = Now() + 600 * kSecond; Now() < limit;) {
      const auto health = http_.Get("/health");
      if (health && health->status == 200) return true;
      usleep(50'000);
    }
    return false;
  }

  // Prefill ends when the first token arrives; every event after it is one token more.
  Times Round(int round) {
    httplib::Request request;
    request.method = "POST";
    request.path = "/v1/completions";
    request.body = DumpJson({{"prompt", Prompt(round)},
                             {"max_tokens", kAnswer},
                             {"ignore_eos", true},
                             {"temperature", 0},
                             {"stream", true}});
    Nanos first = 0, last = 0;
    int tokens = 0;
    std::string pending;
    request.content_receiver = [&](const char* data, std::size_t size, std::uint64_t,
                                   std::uint64_t) {
      pending.append(data, size);
      const int events = TakeTokens(pending);
      if (events > 0) last = Now();
      if (events > 0 && first == 0) first = last;
      tokens += events;
      return true;
    };
    const Nanos start = Now();
    if (!http_.send(request) || tokens != kAnswer) return {};
    return {kPrompt / ToSeconds(first - start), (tokens - 1) / ToSeconds(last - first)};
  }

 private:
  // Events of `pending` that are complete and carry a token; leaves the rest of it.
  static int TakeTokens(std::string& pending) {
    int count = 0;
    for (std::size_t end = 0; (end = pending.find("\n\n")) != std::string::npos;) {
      count += pending.rfind("\"finish_reason\":null", end) != std::string::npos ? 1 : 0;
      pending.erase(0, end + 2);
    }
    return count;
  }

  httplib::Client http_;
};

std::string UrlOf(Child& server) {
  for (std::string line = server.ReadLine(); !line.empty(); line = server.ReadLine()) {
    const auto json = ParseJson(line, "stdout");
    if (json && json->value("event", "") == "listening") return (*json)["url"];
  }
  return "";
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A round's ratio is of two runs next to each other in time.
bool Report(const char* name, const std::vector<double>& engine, const std::vector<double>& raw) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < raw.size(); ++i) ratios.push_back(engine[i] / raw[i]);
  const double ratio = Median(ratios);
  const bool ok = ratio >= kTarget;
  std::printf("%s: engine %.1f tok/s, libllama alone %.1f tok/s (medians of %zu rounds)\n", name,
              Median(engine), Median(raw), raw.size());
  std::printf("BENCH text_%s_ratio %.3f ratio target >= %.2f %s\n", name, ratio, kTarget,
              ok ? "ok" : "short");
  return ok;
}

int Compare(const std::string& model, int rounds) {
  Child raw({"--raw", model}), server({"--serve", model});
  Client client(UrlOf(server));
  if (raw.ReadLine() != "ready\n" || !client.WaitUntilReady()) {
    std::fprintf(stderr, "text_bench: the children did not start\n");
    return 1;
  }
  client.Round(kWarmUp);
  std::vector<double> engine_prefill, engine_decode, raw_prefill, raw_decode;
  for (int round = 0; round < rounds; ++round) {
    const Times reference = Reference(raw, round), engine = client.Round(round);
    if (reference.decode <= 0 || engine.decode <= 0) {
      std::fprintf(stderr, "text_bench: round %d failed\n", round);
      return 1;
    }
    engine_prefill.push_back(engine.prefill);
    engine_decode.push_back(engine.decode);
    raw_prefill.push_back(reference.prefill);
    raw_decode.push_back(reference.decode);
  }
  const bool prefill = Report("prefill", engine_prefill, raw_prefill);
  const bool decode = Report("decode", engine_decode, raw_decode);
  return prefill && decode ? 0 : 1;
}

int Done(const Result<>& result) {
  if (!result) std::fprintf(stderr, "text_bench: %s\n", result.error().message.c_str());
  return result ? 0 : 1;
}

int Main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "synth:llama-3.2-3b-demo";
  if (argc == 3 && first == "--raw") return Done(Raw(Options(argv[2])));
  if (argc == 3 && first == "--serve") {
    return Done(embedded::Serve(Options(argv[2]), share::MakeFreeHook()));
  }
  const auto made = embedded::ResolveModel(first, "", nullptr);
  if (!made) return Done(tl::unexpected(made.error()));
  return Compare(first, argc > 2 ? std::max(1, std::atoi(argv[2])) : 15);
}

}  // namespace
}  // namespace cbench

int main(int argc, char** argv) { return cbench::Main(argc, argv); }
