#include "report/trace/trace_counters.h"

#include <cmath>
#include <map>

namespace cbench::report {
namespace {

// Neighbours of one probe and time are one reading, and one event.
class Readings {
 public:
  explicit Readings(TraceFile& file) : file_(file) {}

  void Add(const record::Sample& sample) {
    if (sample.probe != probe_ || sample.t != t_) Flush();
    probe_ = sample.probe;
    t_ = sample.t;
    if (sample.value && std::isfinite(*sample.value))
      values_.emplace_back(NameOf(sample), *sample.value);
  }

  void Flush() {
    if (!values_.empty()) file_.Counters(ProcessOf(probe_), probe_, t_, values_);
    values_.clear();
  }

 private:
  // With its unit, for which a trace has no place.
  static std::string NameOf(const record::Sample& sample) {
    return sample.unit.empty() ? sample.name : fmt::format("{} [{}]", sample.name, sample.unit);
  }

  int ProcessOf(const std::string& probe) {
    const auto [place, is_new] = processes_.try_emplace(probe, 0);
    if (is_new) place->second = file_.AddProcess("probe " + probe);
    return place->second;
  }

  TraceFile& file_;
  std::map<std::string, int> processes_;
  std::string probe_;
  Nanos t_ = 0;
  std::vector<std::pair<std::string, double>> values_;
};

}  // namespace

void TraceCounters(const record::Record& record, TraceFile& file) {
  Readings readings(file);
  // Where the file breaks, the page and the terminal say why.
  (void)record::ReadSamples(record.directory, [&](const auto& sample) { readings.Add(sample); });
  readings.Flush();
}

}  // namespace cbench::report
