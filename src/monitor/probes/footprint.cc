// Memory of each watched process with its descendants, shared pages divided among those who share
// them (proportional set size), and its swapped part, from /proc/PID/smaps_rollup. The kernel walks
// page tables for that, which of a model of many GB takes milliseconds and a lock of the process,
// so it is apart from the probe `process`, and is read more rarely where it costs much.
#include "monitor/fields.h"
#include "monitor/probe.h"
#include "monitor/process_tree.h"

namespace cbench::monitor {
namespace {

class FootprintProbe final : public Probe {
 public:
  explicit FootprintProbe(const System& system) : system_(system), tree_(system) {}

  void Read(Reading& out) override {
    tree_.Refresh();
    for (std::size_t i = 0; i < system_.processes.size(); ++i) ReadOne(i, out);
  }

 private:
  // Where one of them may not be looked into, or has just ended, the sum is not known.
  void ReadOne(std::size_t i, Reading& out) const {
    double pss = 0, swap = 0;
    bool known = !tree_.pids()[i].empty();
    for (const int pid : tree_.pids()[i]) {
      const auto text = system_.open(fmt::format("/proc/{}/smaps_rollup", pid)).value_or("");
      const auto one = Field(text, "Pss:");
      known = known && one;
      pss += one.value_or(0);
      swap += Field(text, "SwapPss:").value_or(0);
    }
    const std::string& name = system_.processes[i].name;
    out.Add(name + ".pss", "bytes", known ? std::optional(pss * 1024) : std::nullopt);
    out.Add(name + ".swap", "bytes", known ? std::optional(swap * 1024) : std::nullopt);
  }

  const System system_;
  ProcessTree tree_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  if (system.processes.empty()) return Failure("no process was named to be watched");
  if (!system.open("/proc/self/smaps_rollup"))
    return Failure("/proc/PID/smaps_rollup is missing: Linux 4.14 or later has it");
  return std::make_unique<FootprintProbe>(system);
}

}  // namespace

extern const ProbeDescriptor kFootprintProbe;
const ProbeDescriptor kFootprintProbe = {"footprint", "proportional memory of each watched process",
                                         kSecond, true, Make};

}  // namespace cbench::monitor
