#include "embedded/thread_pool.h"

#include "base/cores.h"
#include "embedded/ggml_device.h"
#include "share/actuators/cpu.h"

namespace cbench::embedded {
namespace {

constexpr char kPoolName[] = "cbench-pool";  // of the threads, as ps and perf show them

ggml_threadpool_params Params(const PoolOptions& options, const std::vector<int>& cores) {
  ggml_threadpool_params params = ggml_threadpool_params_default(options.threads);
  if (!options.spin) params.poll = 0;
  params.strict_cpu = !cores.empty();
  for (const int core : cores) params.cpumask[core] = true;
  return params;
}

// One for each thread; empty: wherever the kernel likes.
std::vector<int> CoresFor(const PoolOptions& options) {
  if (!options.own_cores) return {};
  std::vector<int> cores = AllowedCores();
  const bool fits =
      static_cast<int>(cores.size()) == options.threads && cores.back() < GGML_MAX_N_THREADS;
  return fits ? cores : std::vector<int>{};
}

}  // namespace

KeepAffinity::KeepAffinity() : known_(sched_getaffinity(0, sizeof before_, &before_) == 0) {}

KeepAffinity::~KeepAffinity() {
  if (known_) sched_setaffinity(0, sizeof before_, &before_);
}

void ThreadPool::Deleter::operator()(ggml_threadpool* pool) const {
  CpuFunction<void (*)(ggml_threadpool*)>("ggml_threadpool_free")(pool);
}

Result<ThreadPool> ThreadPool::Make(const PoolOptions& options) {
  CBENCH_TRY(LoadBackends());
  const auto make =
      CpuFunction<ggml_threadpool* (*)(ggml_threadpool_params*)>("ggml_threadpool_new");
  if (!make) return Failure("this ggml has no thread pools; use the version the README names");
  const std::vector<int> cores = CoresFor(options);
  ggml_threadpool_params params = Params(options, cores);
  ThreadPool pool;
  {
    const KeepAffinity affinity;  // ggml moves the thread that makes a pool to the last core
    const share::NameForNewThreads name(kPoolName);
    pool.pool_.reset(make(&params));
  }
  if (!pool.pool_) return Failure("could not start {} ggml threads", options.threads);
  if (!cores.empty()) pool.callers_core_ = cores.back();  // the others have theirs in this order
  return pool;
}

ThreadPool::Seat::Seat(const ThreadPool& pool) {
  if (pool.callers_core_ < 0) return;
  before_.emplace();
  cpu_set_t seat;
  CPU_ZERO(&seat);
  CPU_SET(pool.callers_core_, &seat);
  sched_setaffinity(0, sizeof seat, &seat);  // refused: it computes where it is
}

std::vector<pid_t> PoolThreads() { return share::ThreadsNamed(kPoolName); }

}  // namespace cbench::embedded
