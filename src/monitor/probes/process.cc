// Each watched process with its descendants: CPU time used, resident memory, major page faults.
//
//   cpu           cores' worth of CPU time since the last reading; the kernel counts in ticks of
//                 (mostly) 10 ms, so at 200 ms a value is exact to 0.05 cores
//   rss           resident memory, from /proc/PID/stat; pages shared by two processes count twice
#include <map>

#include "monitor/fields.h"
#include "monitor/probe.h"
#include "monitor/process_tree.h"

namespace cbench::monitor {
namespace {

constexpr Nanos kRefreshPeriod = 2 * kSecond;

// Increase of a counter kept by process: the sum must not fall when one of them ends.
class CounterOfMany {
 public:
  void Add(int pid, double value) {
    const auto last = last_.find(pid);
    if (last != last_.end() && value > last->second) total_ += value - last->second;
    now_[pid] = value;
  }
  double Finish() {
    last_ = std::exchange(now_, {});
    return total_;
  }

 private:
  double total_ = 0;
  std::map<int, double> last_, now_;
};

struct Watch {
  CounterOfMany cpu_ticks, major_faults;
  Rate cpu, faults;
};

class ProcessProbe final : public Probe {
 public:
  explicit ProcessProbe(const System& system)
      : system_(system), tree_(system), watches_(system.processes.size()) {}

  void Read(Reading& out) override {
    if (out.t() >= next_refresh_) {
      tree_.Refresh();
      next_refresh_ = out.t() + kRefreshPeriod;
    }
    for (std::size_t i = 0; i < watches_.size(); ++i) ReadStats(i, out);
  }

 private:
  void ReadStats(std::size_t i, Reading& out) {
    Watch& watch = watches_[i];
    ProcessStat sum;
    int alive = 0;
    for (const int pid : tree_.pids()[i]) {
      const auto stat =
          ParseProcessStat(system_.open(fmt::format("/proc/{}/stat", pid)).value_or(""));
      if (!stat) continue;
      ++alive;
      sum.resident_pages += stat->resident_pages;
      sum.threads += stat->threads;
      watch.cpu_ticks.Add(pid, stat->cpu_ticks);
      watch.major_faults.Add(pid, stat->major_faults);
    }
    const auto known = [alive](double value) {
      return alive > 0 ? std::optional(value) : std::nullopt;
    };
    const std::string& name = system_.processes[i].name;
    const auto ticks = known(watch.cpu_ticks.Finish());
    out.Add(name + ".cpu", "cores",
            Scaled(watch.cpu.PerSecond(out.t(), ticks), 1.0 / system_.ticks_per_second));
    out.Add(name + ".rss", "bytes", known(sum.resident_pages * system_.page_bytes));
    out.Add(name + ".threads", "count", known(sum.threads));
    out.Add(name + ".major_faults", "1/s",
            watch.faults.PerSecond(out.t(), known(watch.major_faults.Finish())));
  }

  const System system_;
  ProcessTree tree_;
  std::vector<Watch> watches_;
  Nanos next_refresh_ = 0;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  if (system.processes.empty()) return Failure("no process was named to be watched");
  if (!system.open("/proc/self/stat")) return Failure("/proc/PID/stat cannot be read");
  return std::make_unique<ProcessProbe>(system);
}

}  // namespace

extern const ProbeDescriptor kProcessProbe;
const ProbeDescriptor kProcessProbe = {"process",
                                       "CPU time and resident memory of each watched process",
                                       200 * kMillisecond, true, Make};

}  // namespace cbench::monitor
