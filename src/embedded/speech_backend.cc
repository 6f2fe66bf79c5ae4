#include "embedded/speech_backend.h"

#include <ggml-backend.h>

#include "embedded/ggml_device.h"

namespace cbench::embedded {
namespace {

thread_local ggml_threadpool* next_pool = nullptr;

}  // namespace

PoolForWhisper::PoolForWhisper(ggml_threadpool* pool) { next_pool = pool; }

PoolForWhisper::~PoolForWhisper() { next_pool = nullptr; }

}  // namespace cbench::embedded

// cmake/ggml.cmake gives libwhisper's ggml_backend_init_by_type this name.
extern "C" ggml_backend_t cbench_whisper_backend(enum ggml_backend_dev_type type,
                                                 const char* params) {
  ggml_backend_t backend = ggml_backend_init_by_type(type, params);
  if (backend && type == GGML_BACKEND_DEVICE_TYPE_CPU && cbench::embedded::next_pool) {
    cbench::embedded::ComputeOn(backend, cbench::embedded::next_pool);
  }
  return backend;
}
