// Where an embedded engine's graphs run: ggml's backend libraries, found by folder, and its
// devices.
#pragma once

#include <ggml-backend.h>
#include <ggml-cpu.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace cbench::embedded {

// Loads every backend library beside libggml (the best CPU variant, CUDA where present), once.
// $CBENCH_GGML_DIR overrides the folder compiled in. Sends ggml's warnings to stderr.
Result<> LoadBackends();

// Whether ggml can compute on a GPU here, as `device: gpu` wants it; the error is the reason,
// without advice.
Result<> GpuAvailable();

// The device "auto", "cpu" or "gpu" stands for; "auto" takes a GPU where there is one.
Result<ggml_backend_dev_t> FindDevice(const std::string& name);

int ResolveThreads(int threads);  // 0: all cores this process may use

// A function of the CPU backend. That is a loaded library (the variant for this processor), so its
// functions are asked for by name; null if it lacks it.
void* FindCpuFunction(const char* name);
template <typename Function>
Function CpuFunction(const char* name) {
  return reinterpret_cast<Function>(FindCpuFunction(name));
}

struct BackendDeleter {
  void operator()(ggml_backend_t backend) const { ggml_backend_free(backend); }
};
using Backend = std::unique_ptr<ggml_backend, BackendDeleter>;

// A CPU backend's graphs are computed on `pool`, which must outlive it.
void ComputeOn(ggml_backend_t cpu, ggml_threadpool* pool);

// A backend on `device`; a CPU backend computes on `pool`, which must outlive it.
Result<Backend> MakeBackend(ggml_backend_dev_t device, ggml_threadpool* pool, int threads);

}  // namespace cbench::embedded
