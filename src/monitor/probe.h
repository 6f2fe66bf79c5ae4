// A probe reads one kind of counter of the device through a System, so that tests feed it strings
// and fakes. What a device lacks is listed with its reason by `cbench doctor` and in the record;
// what cannot be read at an instant is null, never 0 and never an estimate.
//
// A new probe is one file in probes/ that ends in a descriptor, a line in registry.cc and its
// series in docs/monitor.md.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "monitor/system.h"
#include "record/event.h"

namespace cbench::monitor {

// One instant of one probe, which puts its values here.
class Reading {
 public:
  Reading(Nanos t, const char* probe, std::vector<record::Sample>& samples)
      : t_(t), probe_(probe), samples_(samples) {}

  Nanos t() const { return t_; }
  void Add(std::string name, const char* unit, std::optional<double> value) {
    samples_.push_back({t_, probe_, std::move(name), unit, value});
  }

 private:
  const Nanos t_;
  const char* const probe_;
  std::vector<record::Sample>& samples_;
};

class Probe {
 public:
  virtual ~Probe() = default;
  virtual void Read(Reading& out) = 0;
};

struct ProbeDescriptor {
  const char* name;
  const char* summary;
  Nanos period;    // the sampler reads it this often, or at its own rate if that is slower
  bool may_block;  // asks a driver or takes long: gets a thread of its own
  // Errors say why this device does not have it, and what would change that.
  Result<std::unique_ptr<Probe>> (*make)(const System& system);
};
const std::vector<const ProbeDescriptor*>& Probes();

}  // namespace cbench::monitor
