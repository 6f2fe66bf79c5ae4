#include "embedded/thread_pool.h"

#include "base/cores.h"
#include "embedded/ggml_device.h"
#include "share/actuators/cpu.h"

namespace cbench::embedded {
namespace {

constexpr char kPoolName[] = "cbench-pool";  // of the threads, as ps and perf show them

// ggml moves the thread that makes a pool to the last core, for it expects the graphs from it.
class KeepAffinity {
 public:
  KeepAffinity() { known_ = sched_getaffinity(0, sizeof set_, &set_) == 0; }
  ~KeepAffinity() {
    if (known_) sched_setaffinity(0, sizeof set_, &set_);
  }
  KeepAffinity(const KeepAffinity&) = delete;
  KeepAffinity& operator=(const KeepAffinity&) = delete;

 private:
  bool known_ = false;
  cpu_set_t set_;
};

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
    const KeepAffinity affinity;
    const share::NameForNewThreads name(kPoolName);
    pool.pool_.reset(make(&params));
  }
  if (!pool.pool_) return Failure("could not start {} ggml threads", options.threads);
  if (!cores.empty()) pool.callers_core_ = cores.back();  // the others have theirs in this order
  return pool;
}

ThreadPool::Seat::Seat(const ThreadPool& pool) {
  if (pool.callers_core_ < 0) return;
  if (sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  cpu_set_t seat;
  CPU_ZERO(&seat);
  CPU_SET(pool.callers_core_, &seat);
  taken_ = sched_setaffinity(0, sizeof seat, &seat) == 0;
}

ThreadPool::Seat::~Seat() {
  if (taken_) sched_setaffinity(0, sizeof before_, &before_);
}

std::vector<pid_t> PoolThreads() { return share::ThreadsNamed(kPoolName); }

}  // namespace cbench::embedded
