// Paging: pages to and from swap and page faults per second, from /proc/vmstat. A major fault had
// to wait for a disk.
#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

class PagingProbe final : public Probe {
 public:
  explicit PagingProbe(const System& system) : open_(system.open), page_bytes_(system.page_bytes) {}

  void Read(Reading& out) override {
    const std::string text = open_("/proc/vmstat").value_or("");
    const auto all = Field(text, "pgfault "), major = Field(text, "pgmajfault ");
    const auto minor = all && major ? std::optional(*all - *major) : std::nullopt;
    Add(out, "swap_in", "bytes/s", in_, Scaled(Field(text, "pswpin "), page_bytes_));
    Add(out, "swap_out", "bytes/s", out_, Scaled(Field(text, "pswpout "), page_bytes_));
    Add(out, "major_faults", "1/s", major_, major);
    Add(out, "minor_faults", "1/s", minor_, minor);
  }

 private:
  static void Add(Reading& out, const char* name, const char* unit, Rate& rate,
                  std::optional<double> counter) {
    out.Add(name, unit, rate.PerSecond(out.t(), counter));
  }

  const Opener open_;
  const double page_bytes_;
  Rate in_, out_, major_, minor_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  if (!Field(system.open("/proc/vmstat").value_or(""), "pgfault "))
    return Failure("/proc/vmstat has no pgfault");
  return std::make_unique<PagingProbe>(system);
}

}  // namespace

extern const ProbeDescriptor kPagingProbe;
const ProbeDescriptor kPagingProbe = {"paging", "swap traffic and page faults", 200 * kMillisecond,
                                      false, Make};

}  // namespace cbench::monitor
