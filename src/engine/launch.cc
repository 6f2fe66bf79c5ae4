#include "engine/launch.h"

#include "engine/running.h"

namespace cbench::engine {

Modality ModalityOf(const scenario::EngineSpec& spec, scenario::AppType first_user) {
  if (spec.use == "embedded-text") return Modality::kText;
  if (spec.use == "embedded-speech") return Modality::kSpeech;
  if (spec.use == "embedded-image") return Modality::kImage;
  switch (first_user) {
    case scenario::AppType::kImageGen:
      return Modality::kImage;
    case scenario::AppType::kLiveCaptions:
      return Modality::kSpeech;
    default:
      return Modality::kText;
  }
}

std::string Where(const scenario::EngineSpec& spec) {
  if (spec.mark.file.empty()) return fmt::format("engine '{}'", spec.name);
  return fmt::format("{}:{}:{}: engine '{}'", spec.mark.file, spec.mark.line, spec.mark.column,
                     spec.name);
}

Result<std::unique_ptr<Engine>> Connect(const scenario::EngineSpec& spec,
                                        const std::string& base_url) {
  if (const Protocol* protocol = FindProtocol(spec.protocol)) {
    CBENCH_TRY(protocol->available());
    return protocol->make({spec, base_url});
  }
  std::string known;
  for (const Protocol* protocol : Protocols()) {
    known += known.empty() ? protocol->name : fmt::format(", {}", protocol->name);
  }
  return InputError("{}: protocol '{}' is not known; there is {}", Where(spec), spec.protocol,
                    known);
}

Result<std::unique_ptr<Running>> Launch(const scenario::EngineSpec& spec, Modality modality,
                                        const LaunchOptions& options, const Cancel& cancel) {
  if (!spec.attach.empty()) return Attach(spec, modality, options, cancel);
  for (const char* use : {"embedded-text", "embedded-speech", "embedded-image"}) {
    if (spec.use == use) return StartEmbedded(spec, modality, options, cancel);
  }
  return InputError(
      "{}: use '{}' is not known; use embedded-text, embedded-speech or embedded-image, or write "
      "attach: with the URL of an engine that runs already",
      Where(spec), spec.use);
}

}  // namespace cbench::engine
