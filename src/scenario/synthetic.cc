// Synthetic models by name: which there are, in which number formats, and which is the twin of a
// model that is named by a file or a repository. Architectures and sizes are matched by the words
// that people put in such names.
#include <algorithm>
#include <array>
#include <cctype>

#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

constexpr std::string_view kPrefix = "synth:";
constexpr std::string_view kDemo = "-demo";

struct Twin {
  std::string_view name;
  std::string_view engine;                // the embedded engine that runs it
  std::array<std::string_view, 2> words;  // all of them in a name mean this model
};

// The first of an engine is its default; of several that a name means, the last is taken. Each
// also has a demo size.
constexpr std::array<Twin, 8> kTwins = {{
    {"llama-3.2-3b", "embedded-text", {"llama-3.2", "3b"}},
    {"llama-3.2-1b", "embedded-text", {"llama-3.2", "1b"}},
    {"qwen3-0.6b", "embedded-text", {"qwen3", "0.6b"}},
    {"whisper-large-v3-turbo", "embedded-speech", {"large", ""}},
    {"whisper-base", "embedded-speech", {"base", ""}},
    {"whisper-tiny", "embedded-speech", {"tiny", ""}},
    {"sd3.5-medium", "embedded-image", {"3.5", "medium"}},
    {"sd3.5-medium-turbo", "embedded-image", {"sd3.5-medium-turbo", ""}},
}};

// For tests: as small as the architecture allows, in one size, and nobody's twin.
constexpr std::array<Twin, 4> kTestModels = {{
    {"llama-test", "embedded-text", {}},
    {"qwen3-test", "embedded-text", {}},
    {"whisper-test", "embedded-speech", {}},
    {"sd3.5-test", "embedded-image", {}},
}};

// Number formats of the weights, as the engines write them.
struct Quants {
  std::string_view engine;
  std::vector<std::string_view> names;
};

const std::vector<std::string_view>& QuantsOf(std::string_view engine) {
  static const std::vector<Quants> quants = {
      {"embedded-text", {"q4_0", "q8_0", "f16"}},
      {"embedded-speech", {"f16", "q8_0", "q5_0", "q4_0"}},
      {"embedded-image", {"q8_0", "q4_0", "f16"}},
  };
  return std::find_if(quants.begin(), quants.end(),
                      [&](const Quants& q) { return q.engine == engine; })
      ->names;
}

std::string Normalise(std::string_view model) {
  std::string name;
  for (const char c : model) {
    name +=
        c == '_' || c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

template <std::size_t kCount>
const Twin* Find(const std::array<Twin, kCount>& models, std::string_view name) {
  const auto found =
      std::find_if(models.begin(), models.end(), [&](const Twin& t) { return t.name == name; });
  return found == models.end() ? nullptr : &*found;
}

const Twin* FindSynthetic(std::string_view name) {
  if (const Twin* test = Find(kTestModels, name)) return test;
  if (name.ends_with(kDemo)) name.remove_suffix(kDemo.size());
  return Find(kTwins, name);
}

// What the apps of an engine that is not ours need it to be.
std::string_view ModalityOf(const EngineSpec& engine, const std::vector<AppDraft>& apps) {
  if (engine.IsEmbedded()) return engine.use;
  const auto user = std::find_if(apps.begin(), apps.end(),
                                 [&](const AppDraft& a) { return a.spec.engine == engine.name; });
  return user == apps.end() ? "" : EmbeddedEngineFor(user->spec.type);
}

Result<> CheckQuant(const EngineDraft& draft, const Twin& model) {
  const auto& known = QuantsOf(model.engine);
  const std::string& quant = draft.spec.quant;
  if (quant.empty() || std::find(known.begin(), known.end(), quant) != known.end()) return {};
  return ErrorAt(draft.quant_mark, "quant {} is not one of {}{}; {}", Quote(quant), kPrefix,
                 model.name, Suggest(quant, known));
}

Result<> CheckSynthetic(const EngineDraft& draft) {
  const EngineSpec& engine = draft.spec;
  const auto name = std::string_view(engine.model).substr(kPrefix.size());
  const Twin* model = FindSynthetic(name);
  if (!model) {
    return ErrorAt(engine.mark, "unknown synthetic model {}; {}", Quote(name),
                   Suggest(name, SyntheticNames()));
  }
  if (engine.IsEmbedded() && model->engine != engine.use) {
    return ErrorAt(engine.mark, "engine {} ({}) cannot run {}, which is for {}", Quote(engine.name),
                   engine.use, engine.model, model->engine);
  }
  return CheckQuant(draft, *model);
}

void ForgetIfMissing(const std::filesystem::path& scenario, std::string& file) {
  if (!DataFileExists(scenario, file)) file.clear();
}

}  // namespace

bool IsSynthetic(std::string_view model) { return model.starts_with(kPrefix); }

std::vector<std::string> SyntheticNames() {
  std::vector<std::string> names;
  for (const Twin& twin : kTwins) {
    names.emplace_back(twin.name);
    names.push_back(std::string(twin.name) + std::string(kDemo));
  }
  for (const Twin& model : kTestModels) names.emplace_back(model.name);
  return names;
}

std::vector<std::string> SyntheticQuants(std::string_view name) {
  const Twin* model = FindSynthetic(name);
  if (!model) return {};
  const auto& known = QuantsOf(model->engine);
  return {known.begin(), known.end()};
}

std::string TwinOf(std::string_view model, std::string_view embedded_engine, Synthetic size) {
  const std::string name = Normalise(model);
  const Twin* twin = nullptr;
  for (const Twin& candidate : kTwins) {
    const bool named = name.find(candidate.words[0]) != std::string::npos &&
                       name.find(candidate.words[1]) != std::string::npos;
    if (candidate.engine != embedded_engine) continue;
    if (!twin || named) twin = &candidate;
  }
  if (!twin) return "";
  return fmt::format("{}{}{}", kPrefix, twin->name, size == Synthetic::kDemo ? kDemo : "");
}

void UseSyntheticTwins(Draft& draft, Synthetic size) {
  for (EngineDraft& draft_engine : draft.engines) {
    EngineSpec& engine = draft_engine.spec;
    const auto modality = ModalityOf(engine, draft.apps);
    if (!engine.attach.empty() || modality.empty()) continue;
    engine.model = TwinOf(engine.model, modality, size);
    if (engine.device == "gpu") engine.device = "auto";
  }
  for (AppDraft& app : draft.apps) {
    ForgetIfMissing(draft.scenario.path, app.spec.prompts);
    ForgetIfMissing(draft.scenario.path, app.spec.audio);
  }
}

Result<> CheckSyntheticModels(const std::vector<EngineDraft>& engines) {
  for (const EngineDraft& draft : engines) {
    const bool named = draft.spec.attach.empty() && IsSynthetic(draft.spec.model);
    if (named) CBENCH_TRY(CheckSynthetic(draft));
  }
  return {};
}

}  // namespace cbench::scenario
