// Pressure stall information: share of the time since the last reading in which some task waited
// for CPU, memory or I/O, from /proc/pressure/* (kernel documentation, accounting/psi; `total` is
// in microseconds).
#include <cstdlib>
#include <map>

#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

constexpr const char* kKinds[] = {"cpu", "memory", "io"};

std::optional<double> TotalMicros(const std::optional<std::string>& text) {
  if (!text || !text->starts_with("some ")) return std::nullopt;
  const auto at = text->find("total=");
  if (at == std::string::npos) return std::nullopt;
  return std::strtod(text->c_str() + at + 6, nullptr);
}

struct Reading {
  Nanos t;
  double micros;
};

class PressureProbe final : public Probe {
 public:
  explicit PressureProbe(Opener open) : open_(std::move(open)) {}

  void Read(Nanos now, std::vector<record::Sample>& samples) override {
    for (const std::string kind : kKinds) {
      const auto micros = TotalMicros(open_("/proc/pressure/" + kind));
      record::Sample sample{now, "pressure", kind + "_some", "ratio", std::nullopt};
      const auto last = last_.find(kind);
      if (micros && last != last_.end() && now > last->second.t) {
        sample.value = (*micros - last->second.micros) * kMicrosecond /
                       static_cast<double>(now - last->second.t);
      }
      if (micros) last_[kind] = {now, *micros};
      samples.push_back(sample);
    }
  }

 private:
  Opener open_;
  std::map<std::string, Reading> last_;
};

Result<> Available() {
  if (TotalMicros(OpenReal("/proc/pressure/cpu"))) return {};
  return Failure("/proc/pressure is missing: the kernel was built or booted without psi=1");
}

}  // namespace

extern const ProbeDescriptor kPressureProbe;
const ProbeDescriptor kPressureProbe = {"pressure",
                                        "waiting for CPU, memory and I/O, from /proc/pressure",
                                        Available, [](Opener open) -> std::unique_ptr<Probe> {
                                          return std::make_unique<PressureProbe>(std::move(open));
                                        }};

}  // namespace cbench::monitor
