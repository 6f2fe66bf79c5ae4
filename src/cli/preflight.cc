#include "cli/preflight.h"

#include <system_error>

#include "embedded/ggml_device.h"
#include "embedded/model_file.h"
#include "embedded/model_store.h"
#include "scenario/suggest.h"

namespace cbench::cli {
namespace {

using scenario::EngineSpec;
using scenario::Quote;

Result<> CheckDevice(const EngineSpec& engine) {
  if (engine.device != "gpu") return {};
  const auto gpu = embedded::GpuAvailable();
  if (gpu) return {};
  return InputError(
      "{}: engine {}: device: gpu, but there is no GPU for it: {}; write device: cpu or auto, as "
      "--synthetic does",
      engine.device_mark.ToString(), Quote(engine.name), gpu.error().message);
}

Result<> CheckModel(const EngineSpec& engine) {
  std::error_code error;
  const bool file = !embedded::SynthName(engine.model);
  if (!file || !std::filesystem::exists(engine.model, error)) return {};
  const auto modality = std::string_view(engine.use).substr(engine.use.find('-') + 1);
  const auto readable = embedded::CheckModelFile(modality, engine.model);
  if (readable) return {};
  return InputError("{}: engine {}: model {}", engine.mark.ToString(), Quote(engine.name),
                    readable.error().message);
}

Result<> Check(const EngineSpec& engine) {
  if (!engine.IsEmbedded()) return {};
  CBENCH_TRY(CheckDevice(engine));
  return CheckModel(engine);
}

}  // namespace

std::vector<Error> Unusable(const scenario::Scenario& scenario) {
  std::vector<Error> errors;
  for (const EngineSpec& engine : scenario.engines) {
    auto usable = Check(engine);
    if (!usable) errors.push_back(std::move(usable).error());
  }
  return errors;
}

}  // namespace cbench::cli
