#include "report/key_latency.h"

#include <map>

#include "report/request_metrics.h"

namespace cbench::report {

const std::vector<std::string>& KeyLatencies(std::string_view app_type) {
  static const std::map<std::string, std::vector<std::string>, std::less<>> kByType = {
      {"chatbot", {"itl", "tpot", "ttft", "ttft_response"}},
      {"live_captions", {"segment"}},
      {"image_gen", {"step"}},
      {"deep_research", {"episode"}}};
  static const std::vector<std::string> kOthers = {"e2e"};
  const auto found = kByType.find(app_type);
  return found == kByType.end() ? kOthers : found->second;
}

void AddKey(std::string_view metric, const record::RequestDone& done, Samples& samples) {
  if (metric == "itl") AddItl(done, samples);
  if (metric == "tpot") samples.Add(Tpot(done));
  if (metric == "ttft") samples.Add(TtftService(done));
  if (metric == "ttft_response") samples.Add(TtftResponse(done));
  if (metric == "segment") samples.Add(SegmentLatency(done));
  if (metric == "episode") samples.Add(Episode(done));
  if (metric == "e2e") samples.Add(E2eService(done));
  if (metric != "step") return;
  if (const auto steps = LaterSteps(done)) {
    for (const double step : *steps) samples.Add(step);
  }
}

bool UsesDevice(std::string_view app_type) {
  return app_type != "null" && app_type != "sleep" && app_type != "exec";
}

}  // namespace cbench::report
