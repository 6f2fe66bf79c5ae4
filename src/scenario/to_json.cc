// The resolved scenario as JSON, for run.json and `cbench check --json`. What does not apply to an
// engine or app is left out; keys that end in _s are seconds.
#include "scenario/scenario.h"

namespace cbench::scenario {
namespace {

// Divides, where ToSeconds multiplies: people read this, and 30 s should stand there as 30.0.
double Seconds(Nanos t) { return static_cast<double>(t) / 1e9; }

Json ToJson(const EngineSpec& engine) {
  Json json = {{"name", engine.name}};
  if (!engine.attach.empty()) {
    json["attach"] = engine.attach;
    json["protocol"] = engine.protocol;
    json["model"] = engine.model;
    return json;
  }
  json["use"] = engine.use;
  json["model"] = engine.model;
  json["quant"] = engine.quant;
  json["device"] = engine.device;
  json["parallel"] = engine.parallel;
  json["context"] = engine.context;
  json["threads"] = engine.threads;
  json["wait"] = engine.wait;
  json["affinity"] = engine.affinity;
  json["kv_offload"] = engine.kv_offload;
  json["args"] = engine.args;
  return json;
}

Json ToJson(const std::vector<Slo>& slo) {
  Json json = Json::object();
  for (const Slo& one : slo) json[std::string(Name(one.metric))] = Seconds(one.target);
  return json;
}

void AddTypeKeys(const AppSpec& app, Json& json) {
  switch (app.type) {
    case AppType::kChatbot:
    case AppType::kDeepResearch:
      json["prompts"] = app.prompts;
      json["turns"] = app.turns;
      json["max_tokens"] = app.max_tokens;
      json["ignore_eos"] = app.ignore_eos;
      break;
    case AppType::kImageGen:
      json["prompts"] = app.prompts;
      json["steps"] = app.steps;
      json["width"] = app.width;
      json["height"] = app.height;
      json["guidance"] = app.guidance;
      break;
    case AppType::kLiveCaptions:
      json["audio"] = app.audio;
      json["segment_s"] = Seconds(app.segment);
      json["max_audio_s"] = Seconds(app.max_audio);
      json["realtime"] = app.realtime;
      break;
    case AppType::kSleep:
      json["duration_s"] = Seconds(app.duration);
      break;
    case AppType::kExec:
      json["command"] = app.command;
      if (!app.ggml.empty()) json["ggml"] = app.ggml;
      break;
    case AppType::kNull:
      break;
  }
}

Json ToJson(const AppSpec& app) {
  Json json = {{"name", app.name}, {"type", Name(app.type)}};
  json["engine"] = app.engine.empty() ? Json(nullptr) : Json(app.engine);
  json["class"] = Name(app.priority_class);
  json["requests"] = app.requests;
  if (app.every > 0) json["every_s"] = Seconds(app.every);
  json["weight"] = app.weight;
  json["slo"] = ToJson(app.slo);
  json["timeout_s"] = Seconds(app.timeout);
  json["seed"] = app.seed;
  json["partition_percent"] = app.partition_percent;
  AddTypeKeys(app, json);
  return json;
}

Json ToJson(const TaskSpec& task) {
  return {
      {"name", task.name}, {"app", task.app}, {"requests", task.requests}, {"after", task.after}};
}

template <typename Spec>
Json Array(const std::vector<Spec>& specs) {
  Json json = Json::array();
  for (const Spec& spec : specs) json.push_back(ToJson(spec));
  return json;
}

}  // namespace

Json ToJson(const Scenario& scenario) {
  Json json = {{"name", scenario.name},
               {"path", scenario.path.string()},
               {"dialect", Name(scenario.dialect)}};
  json["strategies"] = Json::array();
  for (const Strategy strategy : scenario.strategies) json["strategies"].push_back(Name(strategy));
  json["repeat"] = scenario.repeat;
  json["exclusive_baseline"] = scenario.exclusive_baseline;
  json["warmup"] = scenario.warmup;
  json["seed"] = scenario.seed;
  json["engines"] = Array(scenario.engines);
  json["apps"] = Array(scenario.apps);
  json["tasks"] = Array(scenario.tasks);
  return json;
}

}  // namespace cbench::scenario
