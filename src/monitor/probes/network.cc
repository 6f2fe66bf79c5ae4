// Network traffic, from /proc/net/dev: all interfaces together, and the loopback, by which the
// harness speaks to engines, apart (each byte is sent and received there, so it counts once).
#include "monitor/fields.h"
#include "monitor/probe.h"

namespace cbench::monitor {
namespace {

class NetworkProbe final : public Probe {
 public:
  explicit NetworkProbe(Opener open) : open_(std::move(open)) {}

  void Read(Reading& out) override {
    const auto text = open_("/proc/net/dev");
    std::optional<double> received, sent, loopback;
    for (const auto line : Lines(text ? *text : std::string_view())) {
      const auto colon = line.find(':');
      if (colon == line.npos) continue;  // the two lines of headings
      const auto words = Words(line.substr(colon + 1));
      if (words.size() < 9) continue;
      if (Trim(line.substr(0, colon)) == "lo") {
        loopback = Number(words[0]);
        continue;
      }
      received = received.value_or(0) + Number(words[0]).value_or(0);
      sent = sent.value_or(0) + Number(words[8]).value_or(0);
    }
    out.Add("received", "bytes/s", received_.PerSecond(out.t(), received));
    out.Add("sent", "bytes/s", sent_.PerSecond(out.t(), sent));
    out.Add("loopback", "bytes/s", loopback_.PerSecond(out.t(), loopback));
  }

 private:
  const Opener open_;
  Rate received_, sent_, loopback_;
};

Result<std::unique_ptr<Probe>> Make(const System& system) {
  if (!system.open("/proc/net/dev")) return Failure("/proc/net/dev cannot be read");
  return std::make_unique<NetworkProbe>(system.open);
}

}  // namespace

extern const ProbeDescriptor kNetworkProbe;
const ProbeDescriptor kNetworkProbe = {"network", "bytes received and sent, and over the loopback",
                                       200 * kMillisecond, false, Make};

}  // namespace cbench::monitor
