// libwhisper makes its CPU backend itself, and without a pool a backend starts its threads anew
// for each graph, on whichever cores the kernel picks. libwhisper is built here with its call for a
// backend going through speech_backend.cc, which gives the backend a pool. (CBENCH_GGML=system: a
// libwhisper that was built elsewhere goes on as shipped.)
#pragma once

#include "embedded/thread_pool.h"

namespace cbench::embedded {

// While it lives, CPU backends that libwhisper makes on this thread compute on `pool`, which must
// outlive them; null: as shipped.
class PoolForWhisper {
 public:
  explicit PoolForWhisper(ggml_threadpool* pool);
  ~PoolForWhisper();
  PoolForWhisper(const PoolForWhisper&) = delete;
  PoolForWhisper& operator=(const PoolForWhisper&) = delete;
};

}  // namespace cbench::embedded
