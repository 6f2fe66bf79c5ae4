// samples.jsonl from anywhere: reading it ends in a timeline, whose table carries no control
// character to a terminal.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "record/parse.h"
#include "record/samples.h"
#include "report/timeline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cbench;
  const std::string text(reinterpret_cast<const char*>(data), size);
  record::Record record;
  record.events = {{0, record::ProbeEvent{"cpu", "present", 50 * kMillisecond, ""}},
                   {3600 * kSecond, record::ProbeEvent{"gpu", "absent", 0, text}}};
  const auto source = [&text](const std::function<void(const record::Sample&)>& visit) {
    std::istringstream lines(text);
    record::SampleReader reader(visit);
    bool torn = false;
    return record::ForEachLine(lines, "samples.jsonl", torn,
                               [&reader](const Json& line) { return reader.Take(line); });
  };
  for (const std::size_t buckets : {0, 1, 100}) {
    const report::Timeline timeline = report::BuildTimeline(record, source, buckets);
    for (const char c : report::ToTerminal(timeline, false)) {
      if (c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)) std::abort();
    }
    if (DumpJson(report::ToJson(timeline)).empty()) std::abort();
  }
  return 0;
}
