#include "report/probes.h"

#include <map>

#include "report/writers/json_values.h"

namespace cbench::report {

std::vector<ProbeState> ProbeStates(const record::Record& record) {
  std::map<std::string, ProbeState> by_name;
  for (const record::Event& event : record.events) {
    const auto* probe = std::get_if<record::ProbeEvent>(&event.body);
    if (!probe) continue;
    ProbeState& state = by_name[probe->probe];
    const Nanos period = probe->period > 0 ? probe->period : state.period;
    state = {probe->probe, probe->state, period, probe->detail};
  }
  std::vector<ProbeState> states;
  for (auto& [name, state] : by_name) states.push_back(std::move(state));
  return states;
}

std::vector<std::string> MissingProbes(const std::vector<ProbeState>& probes) {
  std::vector<std::string> missing;
  for (const ProbeState& probe : probes) {
    if (probe.state != "present")
      missing.push_back(fmt::format("{} {}: {}", probe.name, probe.state, probe.detail));
  }
  return missing;
}

Json ToJson(const ProbeState& probe) {
  Json json = {{"name", probe.name}, {"state", probe.state}};
  json["period_s"] = probe.period > 0 ? Json(ToSeconds(probe.period)) : Json(nullptr);
  json["reason"] = ReasonJson(probe.detail);
  return json;
}

}  // namespace cbench::report
