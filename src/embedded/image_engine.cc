#include "embedded/image_engine.h"

#include <algorithm>

#include "embedded/image_latent.h"
#include "embedded/image_prompt.h"

namespace cbench::embedded {
namespace {

constexpr float kTimesteps = 1000.0f;  // sigma 1 is timestep 1000

bool Guided(const ImageJob& job) { return job.guidance > 1.0f; }

Result<> CheckStopped(const ImageJob& job) {
  if (job.stopped && job.stopped()) return Failure("the image was cancelled");
  return {};
}

void Append(std::vector<float>& to, const std::vector<float>& what) {
  to.insert(to.end(), what.begin(), what.end());
}

}  // namespace

Result<std::unique_ptr<ImageEngine>> ImageEngine::Load(const std::filesystem::path& path,
                                                       const ImageEngineOptions& options,
                                                       share::StepHook& hook) {
  std::unique_ptr<ImageEngine> engine(new ImageEngine(options, hook));
  CBENCH_TRY(engine->Open(path));
  return engine;
}

Result<> ImageEngine::Open(const std::filesystem::path& path) {
  CBENCH_ASSIGN(const ggml_backend_dev_t device, FindDevice(options_.device));
  options_.threads = ResolveThreads(options_.threads);
  CBENCH_ASSIGN(pool_, ThreadPool::Make({.threads = options_.threads,
                                         .spin = options_.spin,
                                         .own_cores = options_.own_cores}));
  hook_.AddWorkers(PoolThreads());
  CBENCH_ASSIGN(backend_, MakeBackend(device, pool_.get(), options_.threads));
  CBENCH_ASSIGN(weights_, ImageWeights::Load(path, backend_.get()));
  options_.groups = std::clamp(options_.groups, 1, weights_.dims().mmdit.depth);
  return {};
}

Result<RgbImage> ImageEngine::Generate(const ImageJob& job) {
  CBENCH_TRY(CheckStopped(job));
  const ThreadPool::Seat seat(pool_);
  CBENCH_TRY(Prepare(job));
  EmbedPrompts(job);
  CBENCH_ASSIGN(std::vector<float> latent, Denoise(job));
  return Decode(job, std::move(latent));
}

Result<> ImageEngine::Prepare(const ImageJob& job) {
  const SessionShape shape{.width = job.width,
                           .height = job.height,
                           .batch = Guided(job) ? 2 : 1,
                           .groups = options_.groups,
                           .vae_tile = options_.vae_tile};
  if (session_ && session_->shape() == shape) return {};
  session_.reset();  // first, so that both never need memory at once
  CBENCH_ASSIGN(session_, ImageSession::Make(weights_, backend_.get(), shape));
  return {};
}

void ImageEngine::EmbedPrompts(const ImageJob& job) {
  PromptEmbedding prompts = EmbedPrompt(job.prompt, weights_.dims().mmdit);
  if (Guided(job)) {
    const PromptEmbedding empty = EmbedPrompt("", weights_.dims().mmdit);
    Append(prompts.context, empty.context);
    Append(prompts.pooled, empty.pooled);
  }
  session_->SetPrompt(prompts.context, prompts.pooled);
}

Result<std::vector<float>> ImageEngine::Denoise(const ImageJob& job) {
  const int width = job.width / kPixelsPerLatent, height = job.height / kPixelsPerLatent;
  const auto count = static_cast<std::size_t>(weights_.dims().mmdit.latent_channels) *
                     static_cast<std::size_t>(width * height);
  std::vector<float> latent = Noise(job.seed, count);
  const auto sigmas = FlowSigmas(job.steps);
  Nanos start = Now();
  for (std::size_t i = 0; i + 1 < sigmas.size(); ++i) {
    const share::Urgency& urgency = job.urgency;
    const Nanos deadline = urgency.per_step > 0 ? start + urgency.per_step : urgency.deadline;
    CBENCH_ASSIGN(const auto velocity, PredictVelocity(job, latent, sigmas[i], deadline));
    EulerStep(latent, velocity, sigmas[i], sigmas[i + 1]);
    const Nanos end = Now();
    if (job.on_step) job.on_step(static_cast<int>(i) + 1, end - start);
    start = end;
  }
  return latent;
}

share::StepInfo ImageEngine::Step(const ImageJob& job, share::StepKind kind, int size,
                                  Nanos deadline) {
  share::StepInfo step{.kind = kind, .size = size, .deadline = deadline};
  InheritUrgency(job.urgency, step);
  return step;
}

Result<std::vector<float>> ImageEngine::PredictVelocity(const ImageJob& job,
                                                        const std::vector<float>& latent,
                                                        float sigma, Nanos deadline) {
  const MmditDims& dims = weights_.dims().mmdit;
  const int width = job.width / kPixelsPerLatent, height = job.height / kPixelsPerLatent;
  session_->SetStep(Patchify(latent, dims, width, height), sigma * kTimesteps);
  const auto info = Step(job, share::StepKind::kDenoise, session_->ImageTokens(), deadline);
  for (int group = 0; group < session_->Groups(); ++group) {
    CBENCH_TRY(CheckStopped(job));
    const share::ScopedStep step(hook_, info);
    CBENCH_TRY(session_->RunGroup(group));
  }
  const std::vector<float> tokens = session_->Velocity();
  if (!Guided(job)) return Unpatchify(tokens, dims, width, height);
  const std::span<const float> all(tokens);
  const std::size_t half = tokens.size() / 2;
  return Unpatchify(Guide(all.first(half), all.last(half), job.guidance), dims, width, height);
}

Result<RgbImage> ImageEngine::Decode(const ImageJob& job, std::vector<float> latent) {
  const int width = job.width / kPixelsPerLatent, height = job.height / kPixelsPerLatent;
  const VaeDims& vae = weights_.dims().vae;
  for (float& value : latent) value = value / vae.scale + vae.shift;
  Canvas canvas(width, height);
  for (const Tile& tile : session_->tiles()) {
    CBENCH_TRY(CheckStopped(job));
    const auto info =
        Step(job, share::StepKind::kVae, tile.width * tile.height / 4, job.urgency.deadline);
    const auto pixels = [&] {
      const share::ScopedStep step(hook_, info);
      return session_->RunVae(CropLatent(latent, width, height, tile));
    }();
    if (!pixels) return tl::unexpected(pixels.error());
    canvas.Add(tile, *pixels);
  }
  return canvas.Finish();
}

}  // namespace cbench::embedded
