// What libcbench-gate.so costs a program that nobody competes with: per graph, on one that takes
// next to no time, and a text model's decode steps, where it has to stay under a hundredth. Two
// children of this program, one with the library in front of it and behind a gate of its own, take
// turns round by round; both are fed fixed tokens. Not a word of the engines' own hook is run.
//
//   shim_bench [MODEL] [ROUNDS]      MODEL: synth:llama-3.2-3b-demo or any GGUF file
#include <ggml-cpu.h>
#include <ggml.h>
#include <llama.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/clock.h"
#include "child.h"
#include "embedded/ggml_device.h"
#include "embedded/model_store.h"
#include "embedded/text_model.h"
#include "embedded/thread_pool.h"
#include "share/gate/gate.h"
#include "share/gate_hook.h"

namespace cbench {
namespace {

constexpr int kDecodeSteps = 128, kGraphs = 20'000;  // a round
constexpr double kRatioTarget = 0.99, kGraphTarget = 2000;

struct Times {
  double decode = 0, graph = 0;  // ns each, medians of a round
};

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <typename F>
double MedianTime(int count, F&& once) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const Nanos start = Now();
    if (!once()) return 0;
    times.push_back(static_cast<double>(Now() - start));
  }
  return Median(std::move(times));
}

// --- The child: reads a line, computes a round, prints its two times, until stdin ends.

// One addition of two numbers, on one thread.
class SmallGraph {
 public:
  explicit SmallGraph(ggml_backend_t backend)
      : backend_(backend), context_(ggml_init({1 << 20, nullptr, false})) {
    graph_ = ggml_new_graph(context_.get());
    ggml_tensor* number = ggml_new_tensor_1d(context_.get(), GGML_TYPE_F32, 1);
    ggml_build_forward_expand(graph_, ggml_add(context_.get(), number, number));
  }
  bool Compute() { return ggml_backend_graph_compute(backend_, graph_) == GGML_STATUS_SUCCESS; }

 private:
  struct Free {
    void operator()(ggml_context* context) const { ggml_free(context); }
  };
  ggml_backend_t backend_;
  std::unique_ptr<ggml_context, Free> context_;
  ggml_cgraph* graph_;
};

bool Decode(llama_context* context, llama_token token) {
  const bool done = llama_decode(context, llama_batch_get_one(&token, 1)) == 0;
  llama_synchronize(context);
  return done;
}

Times Round(llama_context* context, SmallGraph& small) {
  llama_memory_clear(llama_get_memory(context), true);
  int token = 1000;
  const double decode = MedianTime(kDecodeSteps, [&] { return Decode(context, ++token); });
  return {decode, MedianTime(kGraphs, [&] { return small.Compute(); })};
}

Result<> Compute(const std::string& name) {
  embedded::ServeOptions options;
  options.modality = "text";
  options.model = name;
  options.device = "cpu";
  CBENCH_ASSIGN(auto model, embedded::TextModel::Load(options));
  const int threads = embedded::ResolveThreads(0);
  CBENCH_ASSIGN(auto pool, embedded::ThreadPool::Make({.threads = threads}));
  llama_context_params params = llama_context_default_params();
  params.n_ctx = 512;
  params.n_threads = params.n_threads_batch = threads;
  params.no_perf = true;
  const std::unique_ptr<llama_context, decltype(&llama_free)> context(
      llama_init_from_model(model->llama(), params), llama_free);
  if (!context) return Failure("no context");
  llama_attach_threadpool(context.get(), pool.get(), pool.get());
  CBENCH_ASSIGN(auto one, embedded::ThreadPool::Make({.threads = 1}));
  CBENCH_ASSIGN(const auto cpu, embedded::FindDevice("cpu"));
  CBENCH_ASSIGN(const auto backend, embedded::MakeBackend(cpu, one.get(), 1));
  SmallGraph small(backend.get());
  for (int round = 0; std::scanf("%d", &round) == 1;) {
    const Times times = Round(context.get(), small);
    std::printf("%.1f %.1f\n", times.decode, times.graph);
    std::fflush(stdout);
  }
  return {};
}

// --- The comparison

Times Ask(Child& child, int round) {
  Times times;
  if (!child.Tell(round)) return {};
  const std::string line = child.ReadLine();
  if (std::sscanf(line.c_str(), "%lf %lf", &times.decode, &times.graph) != 2) return {};
  return times;
}

int Report(const std::vector<Times>& alone, const std::vector<Times>& behind, double holds) {
  std::vector<double> ratios, costs;
  for (std::size_t i = 0; i < alone.size(); ++i) {
    ratios.push_back(alone[i].decode / behind[i].decode);
    costs.push_back(behind[i].graph - alone[i].graph);
  }
  const double ratio = Median(ratios), cost = Median(costs);
  std::printf("%zu rounds; %.0f graphs went through the gate\n", alone.size(), holds);
  std::printf("BENCH shim_graph_cost %.0f ns target <= %.0f %s\n", cost, kGraphTarget,
              cost <= kGraphTarget ? "ok" : "short");
  std::printf("BENCH shim_decode_ratio %.4f ratio target >= %.2f %s\n", ratio, kRatioTarget,
              ratio >= kRatioTarget ? "ok" : "short");
  return cost <= kGraphTarget && ratio >= kRatioTarget ? 0 : 1;
}

Result<int> Compare(const std::string& model, int rounds) {
  CBENCH_TRY(embedded::ResolveModel(model, "", nullptr));
  CBENCH_ASSIGN(const auto gate, share::Gate::Create({.policy = "credit"}));
  const std::string shim = SelfPath().parent_path() / "libcbench-gate.so";
  Child alone({"--compute", model});
  Child behind({"--compute", model},
               {"LD_PRELOAD=" + shim, fmt::format("{}={}", share::kGateVariable, gate->path())});
  std::vector<Times> alone_times, behind_times;
  for (int round = -1; round < rounds; ++round) {
    const Times first = Ask(alone, round), second = Ask(behind, round);
    if (first.decode <= 0 || second.decode <= 0) return Failure("round {} failed", round);
    if (round < 0) continue;  // warm-up
    alone_times.push_back(first);
    behind_times.push_back(second);
  }
  return Report(alone_times, behind_times, static_cast<double>(gate->Status().holds));
}

int Main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "synth:llama-3.2-3b-demo";
  Result<int> code = 0;
  if (argc == 3 && first == "--compute") {
    if (const auto done = Compute(argv[2]); !done) code = tl::unexpected(done.error());
  } else {
    code = Compare(first, argc > 2 ? std::max(1, std::atoi(argv[2])) : 15);
  }
  if (!code) std::fprintf(stderr, "shim_bench: %s\n", code.error().message.c_str());
  return code ? *code : 1;
}

}  // namespace
}  // namespace cbench

int main(int argc, char** argv) { return cbench::Main(argc, argv); }
