// Stand-ins until the image engine is merged.
#include "embedded/server.h"
#include "embedded/synth_random.h"

namespace cbench::embedded {

std::vector<SynthModel> ImageSynthModels() { return {}; }
Result<std::unique_ptr<Service>> MakeImageService(const ServeOptions&, share::StepHook&) {
  return Failure("no image engine in this build");
}

}  // namespace cbench::embedded
