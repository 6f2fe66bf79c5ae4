// One entry of the native dialect's engines: section.
#include <algorithm>
#include <system_error>

#include "base/file.h"
#include "base/limits.h"
#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

// Embedded engines and the recipes that are installed.
std::vector<std::string> KnownEngines() {
  std::vector<std::string> names = {"embedded-text", "embedded-speech", "embedded-image"};
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(HomeDir() / "engines", error)) {
    if (file.path().extension() == ".yaml") names.push_back(file.path().stem().string());
  }
  std::sort(names.begin() + 3, names.end());
  return names;
}

Read Use(std::string& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    CBENCH_TRY(Text(out)(key, value));
    const auto known = KnownEngines();
    if (std::find(known.begin(), known.end(), out) != known.end()) return {};
    return ErrorAt(value.mark, "unknown engine {}; {}", Quote(out), Suggest(out, known));
  };
}

Read Url(std::string& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    CBENCH_TRY(Text(out)(key, value));
    for (const std::string_view scheme : {"http://", "https://"}) {
      if (out.starts_with(scheme) && out.size() > scheme.size()) return {};
    }
    return ErrorAt(value.mark, "{} wants a URL like http://127.0.0.1:8080/v1, not {}", key,
                   Quote(out));
  };
}

Fields EngineFields(EngineDraft& draft) {
  EngineSpec& engine = draft.spec;
  return {{"use", Use(engine.use)},
          {"attach", Url(engine.attach)},
          {"protocol", Identifier(engine.protocol)},
          {"model", Marked(Text(engine.model), engine.mark)},
          {"quant", Marked(Identifier(engine.quant), draft.quant_mark)},
          {"device", Marked(Word(engine.device, {"auto", "cpu", "gpu"}), engine.device_mark)},
          {"parallel", Integer(engine.parallel, 1, limits::kParallel)},
          {"context", Integer(engine.context, limits::kMinContext, limits::kContext)},
          {"threads", Integer(engine.threads, 0, limits::kThreads)},
          {"wait", Word(engine.wait, {"passive", "spin"})},
          {"affinity", Word(engine.affinity, {"own", "any"})},
          {"kv_offload", Bool(engine.kv_offload)},
          {"args", Texts(engine.args)}};
}

// Keys that have no effect on this kind of engine are mistakes.
Result<> RefuseKeys(const Node& map, std::string_view why, std::vector<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const Entry* entry = map.Find(key))
      return ErrorAt(entry->mark, "{} {}; remove it", key, why);
  }
  return {};
}

Result<> CheckKind(const Entry& entry, const EngineSpec& engine) {
  const Node& map = entry.value;
  if (engine.use.empty() == engine.attach.empty()) {
    return ErrorAt(entry.mark,
                   "engine {} has {}; give it use: to start it here, or attach: if it runs "
                   "already",
                   Quote(entry.key),
                   engine.use.empty() ? "neither use: nor attach:" : "both use: and attach:");
  }
  if (!engine.attach.empty()) {
    return RefuseKeys(map, "cannot be set for an attached engine",
                      {"quant", "device", "parallel", "context", "threads", "wait", "affinity",
                       "kv_offload", "args"});
  }
  CBENCH_TRY(RefuseKeys(map, "is for attached engines", {"protocol"}));
  if (!IsSynthetic(engine.model)) {
    CBENCH_TRY(RefuseKeys(map, "is for synth: models; a model file has its own", {"quant"}));
  }
  if (!engine.IsEmbedded()) return {};
  if (engine.model.empty()) {
    return ErrorAt(entry.mark, "engine {} has no model; add a path or synth:NAME, one of {}",
                   Quote(entry.key), fmt::join(SyntheticNames(), ", "));
  }
  return RefuseKeys(map, "are for engines from recipes", {"args"});
}

}  // namespace

Result<EngineDraft> ReadEngine(const Entry& entry) {
  EngineDraft draft;
  EngineSpec& engine = draft.spec;
  engine.mark = engine.device_mark = entry.mark;
  engine.name = entry.key;
  engine.parallel = 0;
  if (!IsName(entry.key)) {
    return ErrorAt(entry.mark,
                   "engine name {} is not made of letters, digits, '.', '_' and '-' only, "
                   "up to 64; rename it",
                   Quote(entry.key));
  }
  CBENCH_TRY(ReadMap(entry.value, fmt::format("engine {}", Quote(entry.key)), EngineFields(draft)));
  CBENCH_TRY(CheckKind(entry, engine));
  return draft;
}

}  // namespace cbench::scenario
