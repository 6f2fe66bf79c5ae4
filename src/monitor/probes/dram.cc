// Traffic between memory controllers and DRAM, of all processes and devices, counted by the
// controllers of Intel's processors (uncore_imc_free_running_* of client machines, uncore_imc_* of
// servers). It is what shows that apps which do not share cores still share memory bandwidth.
#include "monitor/fields.h"
#include "monitor/probe.h"
#include "monitor/uncore.h"

namespace cbench::monitor {
namespace {

constexpr char kPmus[] = "/sys/bus/event_source/devices";

struct Counter {
  std::unique_ptr<PerfCounter> counter;
  double bytes = 0;
};
using Counters = std::vector<Counter>;

// A sum that lacks a controller would look like less traffic.
std::optional<double> Sum(const Counters& counters) {
  double sum = 0;
  for (const auto& [counter, bytes] : counters) {
    const auto value = counter->Read();
    if (!value) return std::nullopt;
    sum += static_cast<double>(*value) * bytes;
  }
  return sum;
}

class DramProbe final : public Probe {
 public:
  DramProbe(Counters reads, Counters writes)
      : reads_(std::move(reads)), writes_(std::move(writes)) {}

  void Read(Reading& out) override {
    out.Add("read", "bytes/s", read_.PerSecond(out.t(), Sum(reads_)));
    out.Add("write", "bytes/s", write_.PerSecond(out.t(), Sum(writes_)));
  }

 private:
  const Counters reads_, writes_;
  Rate read_, write_;
};

Result<> Open(const System& system, const UncoreEvent& event, Counters& counters) {
  for (const PerfEvent& one : event.events) {
    auto counter = system.perf(one);
    if (!counter) {
      return Failure(
          "{}; memory controllers can be read with CAP_PERFMON or with sysctl "
          "kernel.perf_event_paranoid=0",
          counter.error().message);
    }
    counters.push_back({std::move(*counter), event.bytes});
  }
  return {};
}

Result<std::unique_ptr<Probe>> Make(const System& system) {
  Counters reads, writes;
  for (const auto& name : system.list(kPmus)) {
    if (!name.starts_with("uncore_imc")) continue;
    const std::string pmu = fmt::format("{}/{}", kPmus, name);
    const auto read = FindUncoreEvent(system, pmu, {"data_read", "data_reads", "cas_count_read"});
    const auto write =
        FindUncoreEvent(system, pmu, {"data_write", "data_writes", "cas_count_write"});
    if (!read || !write) continue;
    CBENCH_TRY(Open(system, *read, reads));
    CBENCH_TRY(Open(system, *write, writes));
  }
  if (reads.empty()) {
    return Failure(
        "no uncore_imc* with data events in {}: not an Intel processor, or a virtual "
        "machine, or the module intel_uncore is not loaded",
        kPmus);
  }
  return std::make_unique<DramProbe>(std::move(reads), std::move(writes));
}

}  // namespace

extern const ProbeDescriptor kDramProbe;
const ProbeDescriptor kDramProbe = {"dram", "memory traffic counted by the memory controllers",
                                    50 * kMillisecond, false, Make};

}  // namespace cbench::monitor
