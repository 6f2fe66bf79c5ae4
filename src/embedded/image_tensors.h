// The list of an image model's tensors: name, shape, stored type and how random weights for it are
// drawn. Writing a synthetic model, its size, its parameter count and the validation of a model
// file all walk this one list.
//
// Names and shapes are those of the reference checkpoint (sd3.5_medium.safetensors) without the
// prefix "model.diffusion_model.", which would exceed ggml's 63 characters. Shapes are in ggml's
// order, fastest first: a linear layer is [in, out], a convolution [kernel w, kernel h, in, out].
#pragma once

#include <ggml.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "embedded/mmdit_config.h"

namespace cbench::embedded {

struct TensorSpec {
  std::string name;
  std::array<std::int64_t, 4> shape = {1, 1, 1, 1};
  ggml_type type = GGML_TYPE_F32;
  float mean = 0.0f, sigma = 0.0f;  // sigma 0: every value is `mean`

  std::int64_t Elements() const { return shape[0] * shape[1] * shape[2] * shape[3]; }
  std::uint64_t Bytes() const;
};

// `matrix_type` is the type of the denoiser's matrices and positional table: f32, f16, q8_0 or
// q4_0. Convolutions are f16 beside all but f32; norms and biases are f32.
std::vector<TensorSpec> ImageTensors(const ImageDims& dims, ggml_type matrix_type);

}  // namespace cbench::embedded
