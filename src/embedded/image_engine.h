// Makes one image: prompt and noise in, denoising steps, VAE, pixels out.
//
// Owned and used by one thread (the service's worker); only facts() may be read from others. Each
// group of blocks and each VAE tile asks the step hook before it takes the device and reports after
// the device has finished, and between them the job may be stopped.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "embedded/ggml_device.h"
#include "embedded/image_session.h"
#include "embedded/thread_pool.h"
#include "share/step_hook.h"

namespace cbench::embedded {

struct ImageEngineOptions {
  std::string device = "auto";
  int threads = 0;
  bool spin = false;
  bool own_cores = false;
  int groups = 1;     // graphs a denoising step is cut into, 1 to the model's depth
  int vae_tile = 64;  // latents a side
};

struct ImageJob {
  std::string prompt;
  int width = 0, height = 0, steps = 1;
  float guidance = 1.0f;  // above 1 the denoiser also runs on an empty prompt: twice the work
  std::uint64_t seed = 0;
  share::Urgency urgency = {};
  std::function<void(int step, Nanos took)> on_step;  // step from 1, when its result is there
  std::function<bool()> stopped;                      // asked between groups
};

class ImageEngine {
 public:
  static Result<std::unique_ptr<ImageEngine>> Load(const std::filesystem::path& path,
                                                   const ImageEngineOptions& options,
                                                   share::StepHook& hook);

  // Fails when stopped, or when the device runs out of memory (the message names size).
  Result<RgbImage> Generate(const ImageJob& job);

  const ImageWeights& weights() const { return weights_; }
  const ImageEngineOptions& options() const { return options_; }  // threads resolved
  std::string DeviceName() const { return ggml_backend_name(backend_.get()); }

 private:
  ImageEngine(const ImageEngineOptions& options, share::StepHook& hook)
      : options_(options), hook_(hook) {}
  Result<> Open(const std::filesystem::path& path);
  Result<> Prepare(const ImageJob& job);
  void EmbedPrompts(const ImageJob& job);
  Result<std::vector<float>> Denoise(const ImageJob& job);
  Result<std::vector<float>> PredictVelocity(const ImageJob& job, const std::vector<float>& latent,
                                             float sigma, Nanos deadline);
  static share::StepInfo Step(const ImageJob& job, share::StepKind kind, int size, Nanos deadline);
  Result<RgbImage> Decode(const ImageJob& job, std::vector<float> latent);

  ImageEngineOptions options_;
  share::StepHook& hook_;
  ThreadPool pool_;
  Backend backend_;
  ImageWeights weights_;
  std::unique_ptr<ImageSession> session_;  // for the size last asked for
};

}  // namespace cbench::embedded
