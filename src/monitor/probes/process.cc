// Each watched process with its descendants: CPU time used, memory, major page faults.
//
//   cpu           cores' worth of CPU time since the last reading; the kernel counts in ticks of
//                 (mostly) 10 ms, so at 200 ms a value is exact to 0.05 cores
//   rss           resident memory, from /proc/PID/stat; pages shared by two processes count twice
//   pss, swap     proportional set size and its swapped part, from /proc/PID/smaps_rollup, which
//                 walks page tables: of a model of many GB that takes milliseconds, so that it is
//                 read only as often as costs kPssShare of a core at most, and holds the last
//                 place in a reading so that it delays no other value
#include <time.h>

#include <algorithm>
#include <map>

#include "monitor/fields.h"
#include "monitor/probe.h"
#include "monitor/process_tree.h"

namespace cbench::monitor {
namespace {

constexpr Nanos kRefreshPeriod = 2 * kSecond;
constexpr Nanos kPssPeriod = kSecond;
constexpr int kPssShare = 400;  // a reading waits for 400 times what the last one took: 0.25 %

Nanos ThreadTime() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

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
    if (out.t() >= next_pss_) ReadAllPss(out);
  }

 private:
  std::string Text(int pid, const char* file) const {
    return system_.open(fmt::format("/proc/{}/{}", pid, file)).value_or("");
  }

  void ReadStats(std::size_t i, Reading& out) {
    Watch& watch = watches_[i];
    ProcessStat sum;
    int alive = 0;
    for (const int pid : tree_.pids()[i]) {
      const auto stat = ParseProcessStat(Text(pid, "stat"));
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

  void ReadAllPss(Reading& out) {
    const Nanos start = ThreadTime();
    for (std::size_t i = 0; i < watches_.size(); ++i) ReadPss(i, out);
    next_pss_ = out.t() + std::max(kPssPeriod, (ThreadTime() - start) * kPssShare);
  }

  // Of a process that may not be looked into, or has just ended, the sum is not known.
  void ReadPss(std::size_t i, Reading& out) {
    std::optional<double> pss, swap;
    bool known = true;
    for (const int pid : tree_.pids()[i]) {
      const std::string text = Text(pid, "smaps_rollup");
      const auto one = Field(text, "Pss:");
      known = known && one;
      pss = pss.value_or(0) + one.value_or(0);
      swap = swap.value_or(0) + Field(text, "SwapPss:").value_or(0);
    }
    const std::string& name = system_.processes[i].name;
    out.Add(name + ".pss", "bytes", known ? Scaled(pss, 1024) : std::nullopt);
    out.Add(name + ".swap", "bytes", known ? Scaled(swap, 1024) : std::nullopt);
  }

  const System system_;
  ProcessTree tree_;
  std::vector<Watch> watches_;
  Nanos next_refresh_ = 0, next_pss_ = 0;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  if (system.processes.empty()) return Failure("no process was named to be watched");
  if (!system.open("/proc/self/stat")) return Failure("/proc/PID/stat cannot be read");
  return std::make_unique<ProcessProbe>(system);
}

}  // namespace

extern const ProbeDescriptor kProcessProbe;
const ProbeDescriptor kProcessProbe = {"process", "CPU time and memory of each watched process",
                                       200 * kMillisecond, true, Make};

}  // namespace cbench::monitor
