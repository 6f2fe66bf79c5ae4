#include "monitor/sampler.h"

#include <algorithm>

#include "base/units.h"

namespace cbench::monitor {

Sampler::Sampler(record::Writer& writer, System system, SamplerOptions options)
    : writer_(writer),
      system_(std::move(system)),
      options_(std::move(options)),
      period_(FromSeconds(1 / std::clamp(options_.rate, kMinRate, kMaxRate))) {
  Lane::Descriptors shared;
  for (const ProbeDescriptor* probe : options_.probes) {
    if (!probe->may_block) shared.push_back(probe);
  }
  StartLane("files", std::move(shared));
  for (const ProbeDescriptor* probe : options_.probes) {
    if (probe->may_block) StartLane(probe->name, {probe});
  }
  watcher_ = std::thread([this] { Watch(); });
}

// All lanes have the same time to end, so one that hangs costs give_up and not more.
Sampler::~Sampler() {
  stop_.Trigger();
  watcher_.join();
  for (const auto& lane : lanes_) lane->Stop();
  const Nanos limit = Now() + options_.give_up;
  for (const auto& lane : lanes_) {
    if (!lane->JoinUntil(limit)) lane->GiveUp();
  }
}

void Sampler::StartLane(std::string name, Lane::Descriptors probes) {
  if (probes.empty()) return;
  lanes_.push_back(Lane::Start(std::move(name), std::move(probes), system_, period_, *this));
}

void Sampler::Note(const record::ProbeEvent& event) {
  writer_.Append({Now(), event});
  if (options_.note && event.state == "dropped")
    options_.note(fmt::format("probe {}: {}", event.probe, event.detail));
}

void Sampler::Watch() {
  while (!stop_.WaitUntil(Now() + options_.give_up / 4)) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      if (const auto* stuck = lanes_[i]->StuckFor(options_.give_up)) Replace(lanes_[i], stuck);
    }
    std::erase(lanes_, nullptr);
  }
}

void Sampler::Replace(std::shared_ptr<Lane>& lane, const ProbeDescriptor* stuck) {
  lane->GiveUp();
  Note({stuck->name, "dropped", 0,
        fmt::format("did not come back from a reading for {} and is not asked again",
                    FormatDuration(options_.give_up))});
  Lane::Descriptors rest = lane->probes();
  std::erase(rest, stuck);
  const std::string name = lane->name();
  lane = rest.empty() ? nullptr : Lane::Start(name, std::move(rest), system_, period_, *this);
}

}  // namespace cbench::monitor
