// Everything on the device that depends on an image's size and on guidance: the persistent tensors,
// the denoiser's graphs (one a group of blocks) and the VAE's. Made once a size, then run for every
// step. One thread uses it, the one that owns the engine.
//
// All graphs run one after another, so they share one compute buffer as large as the largest needs:
// each is planned into it twice, first to let it grow, then to fix the addresses.
#pragma once

#include <ggml-alloc.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "embedded/image_tiles.h"
#include "embedded/image_weights.h"
#include "embedded/mmdit_graph.h"

namespace cbench::embedded {

struct SessionShape {
  int width = 0, height = 0;  // pixels, multiples of 16
  int batch = 1;              // 2 under guidance
  int groups = 1;             // graphs a denoising step is cut into
  int vae_tile = 64;          // latents a side that the VAE decodes at once, at most
  bool operator==(const SessionShape&) const = default;
};

class ImageSession {
 public:
  static Result<std::unique_ptr<ImageSession>> Make(const ImageWeights& weights,
                                                    ggml_backend_t backend,
                                                    const SessionShape& shape);

  const SessionShape& shape() const { return shape_; }
  int ImageTokens() const;
  int Groups() const { return static_cast<int>(denoiser_.size()); }
  const std::vector<Tile>& tiles() const { return tiles_; }
  std::uint64_t Bytes() const;  // device memory beside the weights

  // Per image: the text embeddings, batch after batch. Per step: tokens and timestep.
  void SetPrompt(std::span<const float> context, std::span<const float> pooled);
  void SetStep(std::span<const float> patches, float timestep);
  // Computes one group and waits for it.
  Result<> RunGroup(int group);
  // [batch][tokens][patch values], after the last group.
  std::vector<float> Velocity() const;
  // One tile's latent planes to its pixel planes [3][8h][8w]; waits.
  Result<std::vector<float>> RunVae(std::span<const float> latent);

 private:
  struct GallocrDeleter {
    void operator()(ggml_gallocr* allocator) const { ggml_gallocr_free(allocator); }
  };

  ImageSession(const ImageWeights& weights, ggml_backend_t backend, const SessionShape& shape)
      : weights_(weights), backend_(backend), shape_(shape) {}
  Result<> MakeState();
  void BuildGraphs();
  Result<> PlanGraphs();
  ggml_cgraph* NewGraph();
  Result<> Compute(ggml_cgraph* graph);

  const ImageWeights& weights_;
  ggml_backend_t backend_;
  SessionShape shape_;
  std::vector<Tile> tiles_;
  GgmlContext state_context_;
  BackendBuffer state_buffer_;
  MmditState state_;
  ggml_tensor *vae_in_ = nullptr, *vae_out_ = nullptr;
  std::vector<GgmlContext> graph_contexts_;
  std::vector<ggml_cgraph*> denoiser_;
  ggml_cgraph* vae_ = nullptr;
  std::unique_ptr<ggml_gallocr, GallocrDeleter> allocator_;
};

}  // namespace cbench::embedded
