// Synthetic models: random weights in an exact architecture, made on first use and kept.
// The cache is CacheDir()/models; a model is written to a temporary file and renamed, a lock file
// makes a second process wait, and free disk space is checked before the first byte.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cbench::embedded {

using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

// One entry of the table in model_registry.cc. A family's .cc file fills `write`.
struct SynthModel {
  std::string name;    // "llama-3.2-3b", "llama-3.2-3b-demo", "whisper-tiny", …
  std::string family;  // "text", "speech", "image"
  std::string summary;
  std::string default_quant;  // "q4_0"
  std::vector<std::string> quants;
  std::uint64_t (*bytes)(const SynthModel& model,
                         const std::string& quant);  // file size, to a few %
  Result<> (*write)(const SynthModel& model, const std::string& quant,
                    const std::filesystem::path& path, const Progress& progress);
};
const std::vector<SynthModel>& SynthModels();
const SynthModel* FindSynthModel(std::string_view name);

// "synth:NAME" or a path to a path: makes the model if needed. Unknown names list the known ones.
Result<std::filesystem::path> ResolveModel(const std::string& model, const std::string& quant,
                                           const Progress& progress);

// The same for one table entry. Waits, within a limit, for another process that is making it.
Result<std::filesystem::path> EnsureCached(const SynthModel& model, const std::string& quant,
                                           const Progress& progress);

// Name without "synth:", or nothing when `model` is a path.
std::optional<std::string> SynthName(std::string_view model);

struct CachedModel {
  std::string name, quant;
  std::filesystem::path path;
  std::uint64_t bytes;
};
std::vector<CachedModel> ListCachedModels();
Result<> RemoveCachedModel(std::string_view name);

}  // namespace cbench::embedded
