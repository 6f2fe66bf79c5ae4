// What stands between a program and ggml: a library linked to it. For shim_test.
#include <string_view>

// NOLINTBEGIN(readability-identifier-naming): ggml's names
extern "C" {
int ggml_backend_graph_compute(void* backend, void* graph);
int ggml_backend_graph_compute_async(void* backend, void* graph);
int ggml_backend_sched_graph_compute(void* sched, void* graph);
int ggml_backend_sched_graph_compute_async(void* sched, void* graph);

int TestingCompute(const char* which) {
  const std::string_view name = which;
  if (name == "backend_compute") return ggml_backend_graph_compute(nullptr, nullptr);
  if (name == "backend_compute_async") return ggml_backend_graph_compute_async(nullptr, nullptr);
  if (name == "sched_compute") return ggml_backend_sched_graph_compute(nullptr, nullptr);
  return ggml_backend_sched_graph_compute_async(nullptr, nullptr);
}
}
// NOLINTEND(readability-identifier-naming)
