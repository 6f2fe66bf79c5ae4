// The CPU threads that compute an engine's graphs, and where they sit.
//
// ggml's own pool spins for tens of milliseconds after each graph, on cores another engine could
// use; a passive pool (poll 0) sleeps at once. docs/engines.md has the measurements.
//
// A graph's threads wait for each other, spinning, after every operation. Where they wake on cores
// that other engines' threads are using, the kernel may put two of them on one core; then an
// operation takes as long as a tick of the scheduler (docs/strategies.md has the measurement). So
// where no other engine computes meanwhile (a gate sees to it, or there is none), every thread has
// a core of its own. The thread that calls for a graph computes too: it takes its seat first.
#pragma once

#include <ggml-cpu.h>
#include <sched.h>
#include <sys/types.h>

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"

namespace cbench::embedded {

struct PoolOptions {
  int threads = 1;         // with the one that calls
  bool spin = false;       // after a graph, as ggml's own pools do
  bool own_cores = false;  // a core each, if there are exactly as many as threads
};

// Where the calling thread may run is, at the end of its life, what it was at the beginning.
class KeepAffinity {
 public:
  KeepAffinity();
  ~KeepAffinity();
  KeepAffinity(const KeepAffinity&) = delete;
  KeepAffinity& operator=(const KeepAffinity&) = delete;

 private:
  bool known_;
  cpu_set_t before_;
};

class ThreadPool {
 public:
  static Result<ThreadPool> Make(const PoolOptions& options);

  ggml_threadpool* get() const { return pool_.get(); }

  // Keeps the calling thread on the core the pool left for it; afterwards it may go where it
  // could before. For threads that call for graphs; does nothing without own_cores.
  class Seat {
   public:
    explicit Seat(const ThreadPool& pool);

   private:
    std::optional<KeepAffinity> before_;
  };

 private:
  struct Deleter {
    void operator()(ggml_threadpool* pool) const;
  };
  std::unique_ptr<ggml_threadpool, Deleter> pool_;
  int callers_core_ = -1;  // none
};

// The threads of all pools made so far, beside those that call them; for StepHook::AddWorkers.
std::vector<pid_t> PoolThreads();

}  // namespace cbench::embedded
