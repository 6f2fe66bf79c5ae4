// Stand-ins until the speech engine is merged.
#include "embedded/server.h"
#include "embedded/synth_random.h"

namespace cbench::embedded {

std::vector<SynthModel> SpeechSynthModels() { return {}; }
Result<std::unique_ptr<Service>> MakeSpeechService(const ServeOptions&, share::StepHook&) {
  return Failure("no speech engine in this build");
}

}  // namespace cbench::embedded
