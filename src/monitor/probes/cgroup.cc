// Limits of the control group that we and our engines run in, and how much they bite (kernel
// documentation, admin-guide/cgroup-v2). A limit may sit in any group above: the lowest counts.
// Without a limit the series of that limit is not there.
#include <algorithm>

#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

// "/a/b" of the line "0::/a/b".
std::optional<std::string> GroupOf(const std::string& text) {
  for (const auto line : Lines(text)) {
    if (line.starts_with("0::/")) return std::string(line.substr(3));
  }
  return std::nullopt;
}

// Where version 2 is mounted: alone, or beside version 1.
std::optional<std::string> RootOf(const System& system) {
  for (const char* root : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
    if (system.open(std::string(root) + "/cgroup.controllers")) return root;
  }
  return std::nullopt;
}

// "max 100000" or "150000 100000": quota and period in µs.
std::optional<double> Cores(const std::optional<std::string>& text) {
  const auto words = Words(text ? *text : std::string_view());
  if (words.size() != 2) return std::nullopt;
  const auto quota = Number(words[0]), period = Number(words[1]);
  if (!quota || !period || *period <= 0) return std::nullopt;
  return *quota / *period;
}

void Lower(std::optional<double>& limit, std::optional<double> other) {
  if (other) limit = std::min(limit.value_or(*other), *other);
}

class CgroupProbe final : public Probe {
 public:
  CgroupProbe(Opener open, std::string root, std::string group)
      : open_(std::move(open)), root_(std::move(root)), group_(std::move(group)) {}

  void Read(Reading& out) override {
    std::optional<double> cores, memory;
    for (std::string path = root_ + group_; path.size() >= root_.size();
         path.resize(path.rfind('/'))) {
      Lower(cores, Cores(open_(path + "/cpu.max")));
      Lower(memory, Number(open_(path + "/memory.max")));
      Lower(memory, Number(open_(path + "/memory.high")));
    }
    if (cores) out.Add("cpu_limit", "cores", cores);
    if (memory) out.Add("memory_limit", "bytes", memory);
    AddUse(out);
  }

 private:
  void AddUse(Reading& out) {
    const std::string stat = open_(root_ + group_ + "/cpu.stat").value_or("");
    const auto used = Scaled(Field(stat, "usage_usec "), 1e-6);
    const auto throttled = Scaled(Field(stat, "throttled_usec "), 1e-6);
    out.Add("cpu", "cores", used_.PerSecond(out.t(), used));
    out.Add("throttled", "cores", throttled_.PerSecond(out.t(), throttled));
    out.Add("memory", "bytes", Number(open_(root_ + group_ + "/memory.current")));
  }

  const Opener open_;
  const std::string root_, group_;
  Rate used_, throttled_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  auto group = GroupOf(system.open("/proc/self/cgroup").value_or(""));
  auto root = RootOf(system);
  if (!group || !root) return Failure("no control group of version 2 (cgroup2) is mounted");
  if (*group == "/") group->clear();
  const std::string path = *root + *group;
  if (!system.open(path + "/memory.current") && !system.open(path + "/cpu.max"))
    return Failure("{} has neither memory nor cpu control: no limit is set there", path);
  return std::make_unique<CgroupProbe>(system.open, std::move(*root), std::move(*group));
}

}  // namespace

extern const ProbeDescriptor kCgroupProbe;
const ProbeDescriptor kCgroupProbe = {"cgroup", "limits and use of our control group",
                                      500 * kMillisecond, false, Make};

}  // namespace cbench::monitor
