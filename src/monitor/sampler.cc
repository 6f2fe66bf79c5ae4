#include "monitor/sampler.h"

namespace cbench::monitor {

Sampler::Sampler(record::Writer& writer, Nanos period) : writer_(writer) {
  const System system = RealSystem();
  for (const auto* probe : Probes()) {
    if (auto made = probe->make(system)) probes_.emplace_back(probe->name, std::move(*made));
  }
  thread_ = std::thread([this, period] { Loop(period); });
}

Sampler::~Sampler() {
  stop_.Trigger();
  thread_.join();
}

// Sleeps to fixed points of time, so that a slow reading does not shift the later ones.
void Sampler::Loop(Nanos period) {
  std::vector<record::Sample> samples;
  Nanos next = Now();
  do {
    samples.clear();
    for (const auto& [name, probe] : probes_) {
      Reading out(Now(), name, samples);
      probe->Read(out);
    }
    for (const auto& sample : samples) writer_.Append(sample);
    next += period;
  } while (!stop_.WaitUntil(next));
}

}  // namespace cbench::monitor
