// A model file in memory: its dimensions and its tensors, on the device.
//
// Loading checks the file against the list of ImageTensors, so the graph builders may take any
// tensor by name: a missing or misshapen one is an error here that names it.
#pragma once

#include <ggml-backend.h>
#include <gguf.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "embedded/mmdit_config.h"

namespace cbench::embedded {

struct GgmlDeleter {
  void operator()(ggml_context* context) const { ggml_free(context); }
  void operator()(ggml_backend_buffer* buffer) const { ggml_backend_buffer_free(buffer); }
  void operator()(gguf_context* file) const { gguf_free(file); }
};
using GgmlContext = std::unique_ptr<ggml_context, GgmlDeleter>;
using BackendBuffer = std::unique_ptr<ggml_backend_buffer, GgmlDeleter>;
using GgufFile = std::unique_ptr<gguf_context, GgmlDeleter>;

class ImageWeights {
 public:
  static Result<ImageWeights> Load(const std::filesystem::path& path, ggml_backend_t backend);

  const ImageDims& dims() const { return dims_; }
  // A tensor of the list; the name must be on it.
  ggml_tensor* Get(const std::string& name) const;
  std::uint64_t Parameters() const { return parameters_; }
  std::uint64_t Bytes() const { return ggml_backend_buffer_get_size(buffer_.get()); }
  // "q8_0": the type most of the denoiser is stored in.
  std::string Quant() const;

 private:
  ImageDims dims_;
  std::uint64_t parameters_ = 0;
  GgmlContext context_;
  BackendBuffer buffer_;
};

}  // namespace cbench::embedded
