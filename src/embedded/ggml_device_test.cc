#include "embedded/ggml_device.h"

#include <ggml-alloc.h>
#include <gtest/gtest.h>

#include <vector>

#include "embedded/thread_pool.h"

namespace cbench::embedded {
namespace {

TEST(GgmlDevice, ComputesOnTheCpuWithAPassivePool) {
  auto device = FindDevice("cpu");
  ASSERT_TRUE(device) << device.error().message;
  auto pool = ThreadPool::Make({.threads = 2});
  ASSERT_TRUE(pool) << pool.error().message;
  auto backend = MakeBackend(*device, pool->get(), 2);
  ASSERT_TRUE(backend) << backend.error().message;

  ggml_init_params params{16 * ggml_tensor_overhead() + ggml_graph_overhead(), nullptr, true};
  ggml_context* context = ggml_init(params);
  ggml_tensor* a = ggml_new_tensor_1d(context, GGML_TYPE_F32, 4);
  ggml_tensor* sum = ggml_add(context, a, a);
  ggml_cgraph* graph = ggml_new_graph(context);
  ggml_build_forward_expand(graph, sum);
  ggml_backend_buffer_t buffer = ggml_backend_alloc_ctx_tensors(context, backend->get());
  const std::vector<float> in = {1, 2, 3, 4};
  ggml_backend_tensor_set(a, in.data(), 0, sizeof(float) * in.size());
  EXPECT_EQ(ggml_backend_graph_compute(backend->get(), graph), GGML_STATUS_SUCCESS);
  std::vector<float> out(4);
  ggml_backend_tensor_get(sum, out.data(), 0, sizeof(float) * out.size());
  EXPECT_EQ(out, (std::vector<float>{2, 4, 6, 8}));
  ggml_backend_buffer_free(buffer);
  ggml_free(context);
}

TEST(GgmlDevice, FindsTheGpuOrSaysThatThereIsNone) {
  const auto device = FindDevice("gpu");
  if (device) {
    EXPECT_NE(ggml_backend_dev_type(*device), GGML_BACKEND_DEVICE_TYPE_CPU);
  } else {
    EXPECT_EQ(device.error().kind, ErrorKind::kInput);
  }
}

}  // namespace
}  // namespace cbench::embedded
