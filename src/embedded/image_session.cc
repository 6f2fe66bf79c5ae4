#include "embedded/image_session.h"

#include "embedded/image_latent.h"
#include "embedded/vae_graph.h"

namespace cbench::embedded {
namespace {

constexpr std::size_t kStateTensors = 16;
constexpr std::size_t kGraphNodes = 8192;  // 24 blocks take about 2,500

void Upload(ggml_tensor* tensor, const void* data, std::size_t bytes) {
  GGML_ASSERT(bytes == ggml_nbytes(tensor));
  ggml_backend_tensor_set(tensor, data, 0, bytes);
}

std::vector<float> Download(const ggml_tensor* tensor) {
  std::vector<float> out(static_cast<std::size_t>(ggml_nelements(tensor)));
  ggml_backend_tensor_get(tensor, out.data(), 0, ggml_nbytes(tensor));
  return out;
}

}  // namespace

Result<std::unique_ptr<ImageSession>> ImageSession::Make(const ImageWeights& weights,
                                                         ggml_backend_t backend,
                                                         const SessionShape& shape) {
  std::unique_ptr<ImageSession> session(new ImageSession(weights, backend, shape));
  session->tiles_ =
      TileLatent(shape.width / kPixelsPerLatent, shape.height / kPixelsPerLatent, shape.vae_tile);
  CBENCH_TRY(session->MakeState());
  session->BuildGraphs();
  CBENCH_TRY(session->PlanGraphs());
  return session;
}

int ImageSession::ImageTokens() const {
  const int side = kPixelsPerLatent * weights_.dims().mmdit.patch;
  return shape_.width / side * (shape_.height / side);
}

std::uint64_t ImageSession::Bytes() const {
  return ggml_backend_buffer_get_size(state_buffer_.get()) +
         ggml_gallocr_get_buffer_size(allocator_.get(), 0);
}

Result<> ImageSession::MakeState() {
  const MmditDims& dims = weights_.dims().mmdit;
  state_context_.reset(ggml_init({kStateTensors * ggml_tensor_overhead(), nullptr, true}));
  ggml_context* context = state_context_.get();
  state_ = MakeMmditState(context, dims, ImageTokens(), shape_.batch);
  const Tile& tile = tiles_.front();
  vae_in_ =
      ggml_new_tensor_3d(context, GGML_TYPE_F32, tile.width, tile.height, dims.latent_channels);
  vae_out_ = ggml_new_tensor_3d(context, GGML_TYPE_F32, tile.width * kPixelsPerLatent,
                                tile.height * kPixelsPerLatent, 3);
  state_buffer_.reset(ggml_backend_alloc_ctx_tensors(context, backend_));
  if (!state_buffer_) {
    return Failure("size: not enough memory on {} for a {}x{} image", ggml_backend_name(backend_),
                   shape_.width, shape_.height);
  }
  const int side = kPixelsPerLatent * dims.patch;
  const auto rows = CroppedPositions(dims, shape_.width / side, shape_.height / side);
  Upload(state_.positions, rows.data(), rows.size() * sizeof rows[0]);
  return {};
}

ggml_cgraph* ImageSession::NewGraph() {
  graph_contexts_.emplace_back(ggml_init(
      {2 * kGraphNodes * ggml_tensor_overhead() + ggml_graph_overhead_custom(kGraphNodes, false),
       nullptr, true}));
  return ggml_new_graph_custom(graph_contexts_.back().get(), kGraphNodes, false);
}

void ImageSession::BuildGraphs() {
  const int depth = weights_.dims().mmdit.depth;
  for (int group = 0; group < shape_.groups; ++group) {
    ggml_cgraph* graph = NewGraph();
    BuildMmdit(graph_contexts_.back().get(), graph, weights_, state_, depth * group / shape_.groups,
               depth * (group + 1) / shape_.groups);
    denoiser_.push_back(graph);
  }
  vae_ = NewGraph();
  ggml_context* context = graph_contexts_.back().get();
  const bool cpu =
      ggml_backend_dev_type(ggml_backend_get_device(backend_)) == GGML_BACKEND_DEVICE_TYPE_CPU;
  ggml_tensor* pixels =
      BuildVaeDecoder({.context = context, .weights = weights_, .direct = cpu}, vae_in_);
  ggml_build_forward_expand(vae_, ggml_cpy(context, pixels, vae_out_));
}

Result<> ImageSession::PlanGraphs() {
  allocator_.reset(ggml_gallocr_new(ggml_backend_get_default_buffer_type(backend_)));
  std::vector<ggml_cgraph*> graphs = denoiser_;
  graphs.push_back(vae_);
  bool fits = true;
  for (ggml_cgraph* graph : graphs) fits = fits && ggml_gallocr_reserve(allocator_.get(), graph);
  for (ggml_cgraph* graph : graphs) {
    fits = fits && ggml_gallocr_alloc_graph(allocator_.get(), graph);
  }
  if (fits) return {};
  return Failure("size: not enough memory on {} to compute a {}x{} image",
                 ggml_backend_name(backend_), shape_.width, shape_.height);
}

void ImageSession::SetPrompt(std::span<const float> context, std::span<const float> pooled) {
  Upload(state_.context, context.data(), context.size_bytes());
  Upload(state_.pooled, pooled.data(), pooled.size_bytes());
}

void ImageSession::SetStep(std::span<const float> patches, float timestep) {
  Upload(state_.patches, patches.data(), patches.size_bytes());
  Upload(state_.timestep, &timestep, sizeof timestep);
}

Result<> ImageSession::Compute(ggml_cgraph* graph) {
  const ggml_status status = ggml_backend_graph_compute(backend_, graph);
  if (status == GGML_STATUS_SUCCESS) return {};
  return Failure("{} could not compute the image: {}", ggml_backend_name(backend_),
                 ggml_status_to_string(status));
}

Result<> ImageSession::RunGroup(int group) {
  return Compute(denoiser_[static_cast<std::size_t>(group)]);
}

std::vector<float> ImageSession::Velocity() const { return Download(state_.velocity); }

Result<std::vector<float>> ImageSession::RunVae(std::span<const float> latent) {
  Upload(vae_in_, latent.data(), latent.size_bytes());
  CBENCH_TRY(Compute(vae_));
  return Download(vae_out_);
}

}  // namespace cbench::embedded
