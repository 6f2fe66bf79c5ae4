// Engines for the dialects that name none. As in the original, chatbot and deep_research apps with
// the same model on the same device share one text server; every other model has its own engine.
#include <algorithm>

#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

// The synthetic twins of what the original downloads for apps that name no model.
std::string DefaultModel(std::string_view use) { return TwinOf("", use, Synthetic::kFull); }

std::string FreeName(const std::vector<EngineDraft>& engines, std::string_view use) {
  const auto taken = std::count_if(engines.begin(), engines.end(),
                                   [&](const EngineDraft& e) { return e.spec.use == use; });
  const auto modality = use.substr(use.find('-') + 1);
  return taken == 0 ? std::string(modality) : fmt::format("{}-{}", modality, taken + 1);
}

const EngineSpec& EngineOf(const AppDraft& app, std::vector<EngineDraft>& engines) {
  EngineSpec wanted;
  wanted.use = EmbeddedEngineFor(app.spec.type);
  wanted.model = app.model.empty() ? DefaultModel(wanted.use) : app.model;
  wanted.device = app.device;
  wanted.parallel = 0;
  wanted.mark = app.model.empty() ? app.spec.mark : app.model_mark;
  wanted.device_mark = app.device_mark.line > 0 ? app.device_mark : wanted.mark;
  for (const EngineDraft& engine : engines) {
    const EngineSpec& spec = engine.spec;
    if (spec.use == wanted.use && spec.model == wanted.model && spec.device == wanted.device) {
      return spec;
    }
  }
  wanted.name = FreeName(engines, wanted.use);
  engines.push_back({std::move(wanted), {}});
  return engines.back().spec;
}

}  // namespace

void DeriveEngines(Draft& draft) {
  for (AppDraft& app : draft.apps) {
    if (EmbeddedEngineFor(app.spec.type).empty()) continue;
    app.spec.engine = EngineOf(app, draft.engines).name;
    app.engine_mark = app.spec.mark;
  }
}

}  // namespace cbench::scenario
