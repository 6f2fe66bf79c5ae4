// Reads every available probe at a fixed rate on its own thread and appends to the record.
// The thread owns the probes; the writer is thread-safe; stopping wakes it at once.
#pragma once

#include <thread>

#include "base/cancel.h"
#include "monitor/probe.h"
#include "record/writer.h"

namespace cbench::monitor {

class Sampler {
 public:
  Sampler(record::Writer& writer, Nanos period);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

 private:
  void Loop(Nanos period);

  record::Writer& writer_;
  std::vector<std::pair<const char*, std::unique_ptr<Probe>>> probes_;
  Cancel stop_;
  std::thread thread_;
};

}  // namespace cbench::monitor
