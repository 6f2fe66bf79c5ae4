// A machine made of strings, for tests of probes.
#pragma once

#include <map>
#include <set>

#include "monitor/nvml.h"
#include "monitor/probe.h"

namespace cbench::monitor::testing {

using Files = std::map<std::string, std::string>;  // path -> text

// A System whose files may be changed between readings. Directories are those that the paths name.
class FakeMachine {
 public:
  Files files;
  std::vector<WatchedProcess> processes;
  PerfOpener perf = [](const PerfEvent&) -> Result<std::unique_ptr<PerfCounter>> {
    return Failure("perf_event_open: Permission denied");
  };
  std::shared_ptr<Nvml> nvml;

  System system() {
    return {[this](const std::string& path) { return Open(path); },
            [this](const std::string& path) { return List(path); }, perf,
            [this]() -> Result<std::shared_ptr<Nvml>> {
              if (nvml) return nvml;
              return Failure("no library");
            },
            processes};
  }

 private:
  std::optional<std::string> Open(const std::string& path) const {
    const auto file = files.find(path);
    if (file == files.end()) return std::nullopt;
    return file->second;
  }

  std::vector<std::string> List(std::string path) const {
    if (!path.ends_with('/')) path += '/';
    std::set<std::string> names;
    for (const auto& [file, text] : files) {
      if (file.starts_with(path))
        names.insert(file.substr(path.size(), file.find('/', path.size()) - path.size()));
    }
    return {names.begin(), names.end()};
  }
};

using Values = std::map<std::string, std::optional<double>>;  // by series

inline Result<std::unique_ptr<Probe>> MakeProbe(const std::string& name, FakeMachine& machine) {
  for (const auto* descriptor : Probes()) {
    if (descriptor->name == name) return descriptor->make(machine.system());
  }
  return Failure("no probe {}", name);
}

// Why the probe is not there; empty if it is.
inline std::string WhyNot(const std::string& name, FakeMachine machine) {
  const auto probe = MakeProbe(name, machine);
  return probe ? "" : probe.error().message;
}

inline Values ReadAt(Probe& probe, Nanos now, std::map<std::string, std::string>* units = nullptr) {
  std::vector<record::Sample> samples;
  Reading out(now, "probe", samples);
  probe.Read(out);
  Values values;
  for (const auto& sample : samples) {
    values[sample.name] = sample.value;
    if (units) (*units)[sample.name] = sample.unit;
  }
  return values;
}

// Reads a probe once per set of files, one second apart; the last reading's values.
inline Values ReadAll(const std::string& name, FakeMachine machine,
                      const std::vector<Files>& instants) {
  machine.files = instants.front();
  const auto probe = MakeProbe(name, machine);
  if (!probe) return {{probe.error().message, std::nullopt}};
  Values values;
  Nanos now = kSecond;
  for (const auto& instant : instants) {
    machine.files = instant;
    values = ReadAt(**probe, now);
    now += kSecond;
  }
  return values;
}
inline Values ReadAll(const std::string& name, const std::vector<Files>& instants) {
  return ReadAll(name, FakeMachine(), instants);
}

}  // namespace cbench::monitor::testing
