// Reads every probe of this device at a fixed rate and appends to the record while it exists.
//
// Threads: probes that read files share one lane (lane.h); each that asks a driver or takes long
// has a lane of its own, so that it delays nobody. One more thread looks after them: a probe that
// has not come back from a reading for kGiveUp is dropped, which the record and the note say; its
// lane is given up and the other probes of that lane go on in a new one. The sampler owns this
// thread and the lanes; the writer must outlive the sampler and nothing else needs to.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

#include "base/cancel.h"
#include "monitor/lane.h"
#include "monitor/probe.h"
#include "record/writer.h"

namespace cbench::monitor {

constexpr double kDefaultRate = 20, kMinRate = 1, kMaxRate = 200;  // Hz
constexpr Nanos kGiveUp = 2 * kSecond;

struct SamplerOptions {
  double rate = kDefaultRate;
  std::function<void(std::string_view)> note = {};  // of a probe that was dropped, for people
  Nanos give_up = kGiveUp;
  std::vector<const ProbeDescriptor*> probes = Probes();
};

class Sampler final : private SampleSink {
 public:
  Sampler(record::Writer& writer, System system, SamplerOptions options = {});
  ~Sampler() override;
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

 private:
  void Append(std::span<const record::Sample> samples) override { writer_.Append(samples); }
  void Note(const record::ProbeEvent& event) override;

  void StartLane(std::string name, Lane::Descriptors probes);
  void Watch();
  void Replace(std::shared_ptr<Lane>& lane, const ProbeDescriptor* stuck);

  record::Writer& writer_;
  const System system_;
  const SamplerOptions options_;
  const Nanos period_;
  Cancel stop_;
  std::vector<std::shared_ptr<Lane>> lanes_;  // of the watching thread, once it runs
  std::thread watcher_;
};

}  // namespace cbench::monitor
