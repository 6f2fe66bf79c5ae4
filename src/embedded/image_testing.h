// What the image engine's tests share: a test model on disk, made once a process, and the CPU
// backend it is loaded on.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "embedded/ggml_device.h"
#include "embedded/image_weights.h"
#include "embedded/synth_image.h"
#include "embedded/thread_pool.h"

namespace cbench::embedded {

// A path of this process that is gone when the object is.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("cbench-{}-{}", getpid(), name)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// The file of "sd3.5-test" with weights of type `quant`.
inline const std::filesystem::path& TestModel(const std::string& quant) {
  static const TemporaryFile f32("test-f32.gguf"), q8_0("test-q8_0.gguf");
  const TemporaryFile& file = quant == "f32" ? f32 : q8_0;
  if (!std::filesystem::exists(file.path())) {
    const auto made = WriteImageModel(*FindImageDims("sd3.5-test"), quant, file.path(), nullptr);
    EXPECT_TRUE(made) << made.error().message;
  }
  return file.path();
}

// The f32 test model on a two-thread CPU backend.
struct LoadedModel {
  LoadedModel() {
    auto device = FindDevice("cpu");
    pool = std::move(*ThreadPool::Make({.threads = 2}));
    backend = std::move(*MakeBackend(*device, pool.get(), 2));
    auto loaded = ImageWeights::Load(TestModel("f32"), backend.get());
    EXPECT_TRUE(loaded) << loaded.error().message;
    weights = std::move(*loaded);
  }

  std::vector<float> Values(const std::string& name) const {
    const ggml_tensor* tensor = weights.Get(name);
    std::vector<float> out(static_cast<std::size_t>(ggml_nelements(tensor)));
    ggml_backend_tensor_get(tensor, out.data(), 0, ggml_nbytes(tensor));
    return out;
  }

  ThreadPool pool;
  Backend backend;
  ImageWeights weights;
};

}  // namespace cbench::embedded
