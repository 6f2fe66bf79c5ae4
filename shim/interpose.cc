// The functions by which programs have ggml compute a graph, in front of ggml's own. Calls among
// them (the scheduler computes its parts as graphs) belong to the outer one's turn.
//
// The calls that return before the device has finished are waited for while a gate is joined: the
// turn lasts until the device is free again.
#include "shim/symbol.h"
#include "shim/turn.h"

namespace cbench::shim {
namespace {

using Compute = int(void* device, void* graph);  // returns a ggml_status; device: backend or sched
using Synchronize = void(void* device);

constexpr int kFailed = -1;  // GGML_STATUS_FAILED

constinit Symbol backend_compute("ggml_backend_graph_compute");
constinit Symbol backend_compute_async("ggml_backend_graph_compute_async");
constinit Symbol backend_synchronize("ggml_backend_synchronize");
constinit Symbol sched_compute("ggml_backend_sched_graph_compute");
constinit Symbol sched_compute_async("ggml_backend_sched_graph_compute_async");
constinit Symbol sched_synchronize("ggml_backend_sched_synchronize");

thread_local bool computing = false;

class Outermost {
 public:
  Outermost() { computing = true; }
  ~Outermost() { computing = false; }
  Outermost(const Outermost&) = delete;
  Outermost& operator=(const Outermost&) = delete;
};

int Run(Symbol& compute, Symbol* synchronize, void* device, void* graph, void* caller) {
  auto* const real = compute.For<Compute>(caller);
  if (real == nullptr) return kFailed;  // cannot be: somebody was linked to it
  if (computing) return real(device, graph);
  const Outermost outermost;
  const Turn turn(graph, caller);
  const int status = real(device, graph);
  if (turn.arranged() && synchronize != nullptr)
    if (auto* const wait = synchronize->For<Synchronize>(caller)) wait(device);
  return status;
}

}  // namespace
}  // namespace cbench::shim

using namespace cbench::shim;

// NOLINTBEGIN(readability-identifier-naming): ggml's names
extern "C" {

__attribute__((visibility("default"))) int ggml_backend_graph_compute(void* backend, void* graph) {
  return Run(backend_compute, nullptr, backend, graph, __builtin_return_address(0));
}

__attribute__((visibility("default"))) int ggml_backend_graph_compute_async(void* backend,
                                                                            void* graph) {
  return Run(backend_compute_async, &backend_synchronize, backend, graph,
             __builtin_return_address(0));
}

__attribute__((visibility("default"))) int ggml_backend_sched_graph_compute(void* sched,
                                                                            void* graph) {
  return Run(sched_compute, nullptr, sched, graph, __builtin_return_address(0));
}

__attribute__((visibility("default"))) int ggml_backend_sched_graph_compute_async(void* sched,
                                                                                  void* graph) {
  return Run(sched_compute_async, &sched_synchronize, sched, graph, __builtin_return_address(0));
}
}
// NOLINTEND(readability-identifier-naming)
