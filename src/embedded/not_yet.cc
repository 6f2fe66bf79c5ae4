// Stand-ins until the speech and image engines are merged.
#include "embedded/server.h"
#include "embedded/synth_random.h"

namespace cbench::embedded {

std::vector<SynthModel> SpeechSynthModels() { return {}; }
std::vector<SynthModel> ImageSynthModels() { return {}; }
Result<std::unique_ptr<Service>> MakeSpeechService(const ServeOptions&, share::StepHook&) {
  return Failure("no speech engine in this build");
}
Result<std::unique_ptr<Service>> MakeImageService(const ServeOptions&, share::StepHook&) {
  return Failure("no image engine in this build");
}

}  // namespace cbench::embedded
