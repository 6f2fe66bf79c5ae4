#include "embedded/image_weights.h"

#include <ggml-alloc.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "embedded/image_tensors.h"

namespace cbench::embedded {
namespace {

constexpr std::size_t kReadBytes = 8u << 20;

std::string Shape(const std::int64_t* shape) {
  return fmt::format("[{}, {}, {}, {}]", shape[0], shape[1], shape[2], shape[3]);
}

Result<> CheckTensor(const ggml_context* context, const TensorSpec& spec, const std::string& path) {
  const ggml_tensor* found = ggml_get_tensor(const_cast<ggml_context*>(context), spec.name.c_str());
  if (!found) return InputError("{}: tensor {} is missing", path, spec.name);
  if (!std::equal(spec.shape.begin(), spec.shape.end(), found->ne)) {
    return InputError("{}: tensor {} has shape {}, expected {}", path, spec.name, Shape(found->ne),
                      Shape(spec.shape.data()));
  }
  // Matrices may come in any type ggml multiplies by; norms, biases and kernels are used as stored.
  const bool matrix = spec.shape[1] > 1 && spec.shape[2] == 1;
  const bool kernel = spec.shape[2] > 1;
  const bool fits =
      matrix || found->type == GGML_TYPE_F32 || (kernel && found->type == GGML_TYPE_F16);
  if (!fits) {
    return InputError("{}: tensor {} is {}, expected {}", path, spec.name,
                      ggml_type_name(found->type), kernel ? "f16 or f32" : "f32");
  }
  return {};
}

Result<> ReadTensor(std::ifstream& in, const gguf_context* file, ggml_tensor* tensor,
                    const std::string& path, std::vector<char>& scratch) {
  const auto id = gguf_find_tensor(file, ggml_get_name(tensor));
  const std::size_t start = gguf_get_data_offset(file) + gguf_get_tensor_offset(file, id);
  in.seekg(static_cast<std::streamoff>(start));
  const std::size_t bytes = ggml_nbytes(tensor);
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t part = std::min(kReadBytes, bytes - done);
    if (!in.read(scratch.data(), static_cast<std::streamsize>(part))) {
      return InputError("{}: the file ends within tensor {}; remove it and make it again", path,
                        ggml_get_name(tensor));
    }
    ggml_backend_tensor_set(tensor, scratch.data(), done, part);
    done += part;
  }
  return {};
}

Result<> ReadAll(const gguf_context* file, ggml_context* context, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return InputError("{}: {}", path, std::strerror(errno));
  std::vector<char> scratch(kReadBytes);
  for (auto* tensor = ggml_get_first_tensor(context); tensor;
       tensor = ggml_get_next_tensor(context, tensor)) {
    CBENCH_TRY(ReadTensor(in, file, tensor, path, scratch));
  }
  return {};
}

}  // namespace

Result<ImageWeights> ImageWeights::Load(const std::filesystem::path& path, ggml_backend_t backend) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return InputError("{}: no such model file; 'cbench model synth sd3.5-medium' makes one",
                      path.string());
  }
  ggml_context* context = nullptr;
  const GgufFile file(gguf_init_from_file(path.c_str(), {.no_alloc = true, .ctx = &context}));
  if (!file) return InputError("{}: not a readable GGUF file", path.string());
  ImageWeights weights;
  weights.context_.reset(context);
  CBENCH_ASSIGN(weights.dims_, ReadDims(file.get(), path.string()));
  for (const TensorSpec& spec : ImageTensors(weights.dims_, GGML_TYPE_F16)) {
    CBENCH_TRY(CheckTensor(context, spec, path.string()));
    weights.parameters_ += static_cast<std::uint64_t>(spec.Elements());
  }
  weights.buffer_.reset(ggml_backend_alloc_ctx_tensors(context, backend));
  if (!weights.buffer_) {
    return Failure("not enough memory on {} for the weights in {}; take a smaller quant",
                   ggml_backend_name(backend), path.string());
  }
  ggml_backend_buffer_set_usage(weights.buffer_.get(), GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
  CBENCH_TRY(ReadAll(file.get(), context, path.string()));
  return weights;
}

ggml_tensor* ImageWeights::Get(const std::string& name) const {
  ggml_tensor* tensor = ggml_get_tensor(context_.get(), name.c_str());
  GGML_ASSERT(tensor && "a name that ImageTensors does not list");
  return tensor;
}

std::string ImageWeights::Quant() const {
  return ggml_type_name(Get("joint_blocks.0.x_block.attn.qkv.weight")->type);
}

}  // namespace cbench::embedded
