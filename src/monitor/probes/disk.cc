// Disk traffic of all processes, from /proc/diskstats (kernel documentation, admin-guide/iostats;
// sectors of 512 bytes). Only whole disks that are a device: partitions, loop devices, RAID and
// encryption layers would count the same bytes again.
#include <set>

#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

constexpr double kSector = 512;

class DiskProbe final : public Probe {
 public:
  DiskProbe(Opener open, std::set<std::string, std::less<>> disks)
      : open_(std::move(open)), disks_(std::move(disks)) {}

  void Read(Reading& out) override {
    const auto text = open_("/proc/diskstats");
    std::optional<double> read, written;
    for (const auto line : Lines(text ? *text : std::string_view())) {
      const auto words = Words(line);  // major minor name reads merged SECTORS ms writes …
      if (words.size() < 11 || !disks_.contains(words[2])) continue;
      read = read.value_or(0) + Number(words[5]).value_or(0);
      written = written.value_or(0) + Number(words[9]).value_or(0);
    }
    out.Add("read", "bytes/s", Scaled(read_.PerSecond(out.t(), read), kSector));
    out.Add("write", "bytes/s", Scaled(write_.PerSecond(out.t(), written), kSector));
  }

 private:
  const Opener open_;
  const std::set<std::string, std::less<>> disks_;
  Rate read_, write_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  std::set<std::string, std::less<>> disks;
  for (const auto& name : system.list("/sys/block")) {
    if (!system.list("/sys/block/" + name + "/device").empty()) disks.insert(name);
  }
  if (disks.empty()) return Failure("no disk in /sys/block");
  if (!system.open("/proc/diskstats")) return Failure("/proc/diskstats cannot be read");
  return std::make_unique<DiskProbe>(system.open, std::move(disks));
}

}  // namespace

extern const ProbeDescriptor kDiskProbe;
const ProbeDescriptor kDiskProbe = {"disk", "bytes read from and written to disks",
                                    200 * kMillisecond, false, Make};

}  // namespace cbench::monitor
