#include "report/plan.h"

#include <algorithm>
#include <functional>

namespace cbench::report {
namespace {

std::string Text(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (found == json.end() || !found->is_string()) return {};
  return found->get<std::string>();
}

int Count(const Json& json, const char* key) {
  constexpr double kMost = 1e9;
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (found == json.end() || !found->is_number()) return 0;
  return static_cast<int>(std::clamp(found->get<double>(), 0.0, kMost));
}

// Calls visit(name, item) for a list of {"name": …} as well as for an object keyed by name.
void ForEachNamed(const Json& json, const char* key,
                  const std::function<void(const std::string&, const Json&)>& visit) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (found == json.end() || !found->is_structured()) return;
  for (const auto& [name, item] : found->items()) {
    visit(found->is_object() ? name : Text(item, "name"), item);
  }
}

std::vector<std::string> Texts(const Json& json, const char* key) {
  std::vector<std::string> texts;
  const auto found = json.is_object() ? json.find(key) : json.end();
  if (found == json.end() || !found->is_array()) return texts;
  for (const Json& item : *found) {
    if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  return texts;
}

bool IsSet(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_boolean() && found->get<bool>();
}

double Weight(const Json& json) {
  const auto found = json.is_object() ? json.find("weight") : json.end();
  if (found == json.end() || !found->is_number()) return 1;
  const double weight = found->get<double>();
  return weight > 0 ? weight : 1;
}

PlannedApp ReadApp(const Json& json) {
  PlannedApp app{Text(json, "type"), Text(json, "class"), {}, Weight(json)};
  const auto slo = json.is_object() ? json.find("slo") : json.end();
  if (slo == json.end() || !slo->is_object()) return app;
  for (const auto& [metric, target] : slo->items()) {
    if (target.is_number()) app.slo.emplace_back(metric, target.get<double>());
  }
  return app;
}

// An engine is synthetic if the run said so of it, or if its model is called synth:…
std::vector<std::string> SyntheticEngines(const record::Header& header) {
  std::vector<std::string> names;
  ForEachNamed(header.scenario, "engines", [&](const std::string& name, const Json& engine) {
    if (Text(engine, "model").starts_with("synth:")) names.push_back(name);
  });
  for (const auto& [name, engine] : header.engines.items()) {
    const auto flag = engine.is_object() ? engine.find("synthetic") : engine.end();
    if (flag == engine.end() || !flag->is_boolean() || !flag->get<bool>()) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

Plan ReadPlan(const record::Header& header) {
  Plan plan;
  const Json& scenario = header.scenario;
  ForEachNamed(scenario, "apps",
               [&](const std::string& name, const Json& app) { plan.apps[name] = ReadApp(app); });
  ForEachNamed(scenario, "tasks", [&](const std::string& name, const Json& task) {
    plan.tasks.push_back({name, Text(task, "app"), Count(task, "requests"), Texts(task, "after")});
  });
  const int repeat = std::max(1, Count(scenario, "repeat"));
  plan.runs = Texts(scenario, "strategies").size() * static_cast<std::size_t>(repeat);
  plan.alone = IsSet(scenario, "exclusive_baseline") ? repeat : 0;
  plan.synthetic_engines = SyntheticEngines(header);
  ForEachNamed(scenario, "engines", [&](const std::string& name, const Json& engine) {
    const std::string device = Text(engine, "device");
    if (!device.empty()) plan.devices[name] = device;
  });
  for (const auto& [strategy, engines] : header.arrangements.items()) {
    for (const auto& [engine, how] : engines.items()) {
      const std::string grain = Text(how, "grain");
      if (!grain.empty()) plan.grains[strategy][engine] = grain;
    }
  }
  return plan;
}

std::string DeviceOf(const std::string& engine, const Plan& plan) {
  const auto found = plan.devices.find(engine);
  return found == plan.devices.end() ? "device" : found->second;
}

}  // namespace cbench::report
