// The table of all synthetic models, and finding one in it.
#include "embedded/model_store.h"
#include "embedded/synth_random.h"

namespace cbench::embedded {

const std::vector<SynthModel>& SynthModels() {
  static const std::vector<SynthModel> models = [] {
    std::vector<SynthModel> all;
    for (auto* family : {TextSynthModels, SpeechSynthModels, ImageSynthModels}) {
      for (SynthModel& model : family()) all.push_back(std::move(model));
    }
    return all;
  }();
  return models;
}

const SynthModel* FindSynthModel(std::string_view name) {
  for (const SynthModel& model : SynthModels()) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

}  // namespace cbench::embedded
