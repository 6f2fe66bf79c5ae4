// For the speech tests: the smallest synthetic model, made once a test program.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/file.h"
#include "base/testing/scratch_folder.h"
#include "embedded/synth_random.h"

namespace cbench::embedded {

inline const SynthModel& SpeechSynth(const std::string& name) {
  static const std::vector<SynthModel> models = SpeechSynthModels();
  return *std::find_if(models.begin(), models.end(),
                       [&](const SynthModel& model) { return model.name == name; });
}

inline std::string MakeTestModel(const std::string& quant) {
  static const ScratchFolder folder;
  const auto path = folder.path() / ("whisper-test-" + quant + ".bin");
  if (!std::filesystem::exists(path)) {
    const SynthModel& model = SpeechSynth("whisper-test");
    const auto written = model.write(model, quant, path, {});
    if (!written) return "";
  }
  return path;
}

inline std::string Contents(const std::filesystem::path& path) {
  return ReadFile(path, std::size_t{1} << 30).value_or("");
}

}  // namespace cbench::embedded
