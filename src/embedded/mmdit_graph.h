// The denoiser as ggml graphs.
//
// One denoising step maps noisy latents, a timestep and a text embedding to a velocity. It is cut
// into ranges of joint blocks so that a long step can be handed out in pieces: each range is one
// graph, and what flows between ranges (image tokens, text tokens, conditioning vector) lives in
// persistent tensors, MmditState. The range that starts at block 0 embeds the inputs first; the one
// that ends at the last block projects to velocities. Any cut computes the same numbers.
//
// Source of the architecture: Esser et al., Scaling Rectified Flow Transformers (2024), and the
// MMDiT-X reference implementation of Stable Diffusion 3.5. Shapes below are in ggml's order.
#pragma once

#include <ggml.h>

#include "embedded/image_weights.h"

namespace cbench::embedded {

// Persistent tensors; T image tokens, B batch entries (2 under guidance), all f32 but `positions`.
struct MmditState {
  ggml_tensor* patches = nullptr;    // in  [patch values, T], the same for every batch entry
  ggml_tensor* positions = nullptr;  // in  [T] i32, rows of the positional table
  ggml_tensor* timestep = nullptr;   // in  [1], 0 to 1000
  ggml_tensor* context = nullptr;    // in  [context dim, context tokens, B]
  ggml_tensor* pooled = nullptr;     // in  [pooled dim, B]
  ggml_tensor* x = nullptr;          // between ranges: image tokens [width, T, B]
  ggml_tensor* c = nullptr;          // between ranges: text tokens [width, context tokens, B]
  ggml_tensor* condition = nullptr;  // between ranges: SiLU of timestep + pooled [width, B]
  ggml_tensor* velocity = nullptr;   // out [patch values, T, B]
};
MmditState MakeMmditState(ggml_context* context, const MmditDims& dims, int tokens, int batch);

// Appends blocks [first, last) to `graph`; its tensors are made in `context`, without data.
void BuildMmdit(ggml_context* context, ggml_cgraph* graph, const ImageWeights& weights,
                const MmditState& state, int first, int last);

}  // namespace cbench::embedded
