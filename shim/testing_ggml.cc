// A ggml that computes nothing and says on standard output what was called, for shim_test.
#include <cstdint>
#include <cstdio>

// NOLINTBEGIN(readability-identifier-naming): ggml's names
extern "C" {

void ggml_backend_synchronize(void*) { std::puts("backend_synchronize"); }
void ggml_backend_sched_synchronize(void*) { std::puts("sched_synchronize"); }

int ggml_backend_graph_compute(void*, void*) {
  std::puts("backend_compute");
  return 1;
}
int ggml_backend_graph_compute_async(void*, void*) {
  std::puts("backend_compute_async");
  return 2;
}
int ggml_backend_sched_graph_compute_async(void* sched, void* graph) {
  std::puts("sched_compute_async");
  ggml_backend_graph_compute_async(sched, graph);  // as the real one: a part of the graph
  return 3;
}
int ggml_backend_sched_graph_compute(void* sched, void* graph) {
  std::puts("sched_compute");
  ggml_backend_sched_graph_compute_async(sched, graph);
  ggml_backend_sched_synchronize(sched);
  return 4;
}

// A graph of 128 nodes, whose first half has 1000 numbers a node and the other 3000.
int ggml_graph_n_nodes(void*) { return 128; }
void* ggml_graph_node(void*, int i) { return reinterpret_cast<void*>(std::intptr_t{i} + 1); }
std::int64_t ggml_nelements(const void* tensor) {
  return reinterpret_cast<std::intptr_t>(tensor) <= 64 ? 1000 : 3000;
}
}
// NOLINTEND(readability-identifier-naming)
