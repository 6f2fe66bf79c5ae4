// Files that a scenario names: where they are looked for, and which are not there.
#include <array>
#include <system_error>

#include "base/file.h"
#include "scenario/draft.h"

namespace cbench::scenario {
namespace fs = std::filesystem;

namespace {

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// A recipe's model may also be a name that its engine knows ("llama3.2:3b").
bool LooksLikeFile(std::string_view model) {
  for (const std::string_view prefix : {"/", "./", "../"}) {
    if (model.starts_with(prefix)) return true;
  }
  for (const std::string_view suffix : {".gguf", ".bin", ".safetensors"}) {
    if (model.ends_with(suffix)) return true;
  }
  return false;
}

Error AtMark(const Mark& mark, std::string_view what) {
  return Error{ErrorKind::kFailure, fmt::format("{}: {}", mark.ToString(), what)};
}

Error MissingModel(const EngineSpec& engine) {
  return AtMark(engine.mark,
                fmt::format("engine {}: model {} is not on this machine; run on its synthetic twin "
                            "with --synthetic, or set model: to a file that is",
                            Quote(engine.name), Quote(engine.model)));
}

Error MissingData(const AppSpec& app, std::string_view key, const std::string& file) {
  return AtMark(app.mark,
                fmt::format("app {}: {} file {} is not on this machine; use the project's own with "
                            "--synthetic, or set {}: to a file that is",
                            Quote(app.name), key, Quote(file), key));
}

}  // namespace

bool IsModelFile(const EngineSpec& engine) {
  if (!engine.attach.empty() || engine.model.empty() || IsSynthetic(engine.model)) return false;
  return engine.IsEmbedded() || LooksLikeFile(engine.model);
}

// Beside the scenario, then from the current folder; empty if in neither.
fs::path FindModel(const fs::path& scenario, const std::string& model) {
  const std::array<fs::path, 2> places = {scenario.parent_path() / model, model};
  for (const fs::path& place : places) {
    if (Exists(place)) return place;
  }
  return {};
}

// Beside the scenario, then in the project's folder, as the apps look for it.
bool DataFileExists(const fs::path& scenario, const std::string& file) {
  return file.empty() || Exists(scenario.parent_path() / file) || Exists(HomeDir() / file);
}

std::vector<Error> MissingModels(const Scenario& scenario) {
  std::vector<Error> missing;
  for (const EngineSpec& engine : scenario.engines) {
    const bool there = !IsModelFile(engine) || !FindModel(scenario.path, engine.model).empty();
    if (!there) missing.push_back(MissingModel(engine));
  }
  for (const AppSpec& app : scenario.apps) {
    if (!DataFileExists(scenario.path, app.prompts)) {
      missing.push_back(MissingData(app, "prompts", app.prompts));
    }
    if (!DataFileExists(scenario.path, app.audio)) {
      missing.push_back(MissingData(app, "audio", app.audio));
    }
  }
  return missing;
}

}  // namespace cbench::scenario
