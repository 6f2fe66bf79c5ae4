// Where an embedded engine's graphs run: ggml's backend libraries, found by folder, and the CPU
// worker threads with their manners between graphs.
//
// ggml's own pool spins for tens of milliseconds after each graph, on cores another engine could
// use; a passive pool (poll 0) sleeps at once. docs/engines.md has the measurements.
#pragma once

#include <ggml-backend.h>
#include <ggml-cpu.h>
#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

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

struct ThreadpoolDeleter {
  void operator()(ggml_threadpool* pool) const;
};
using Threadpool = std::unique_ptr<ggml_threadpool, ThreadpoolDeleter>;
Result<Threadpool> MakeThreadpool(int threads, bool spin);

// The threads of all pools made so far, beside those that call them; for StepHook::AddWorkers.
std::vector<pid_t> PoolThreads();

struct BackendDeleter {
  void operator()(ggml_backend_t backend) const { ggml_backend_free(backend); }
};
using Backend = std::unique_ptr<ggml_backend, BackendDeleter>;

// A backend on `device`; a CPU backend computes on `pool`, which must outlive it.
Result<Backend> MakeBackend(ggml_backend_dev_t device, ggml_threadpool* pool, int threads);

}  // namespace cbench::embedded
