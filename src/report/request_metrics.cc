#include "report/request_metrics.h"

#include <algorithm>
#include <cmath>

namespace cbench::report {
namespace {

using record::RequestDone;

// Divides, since 210 ms · 1e-9 is more than 0.21 s in floating point and would miss that target.
double Exactly(Nanos t) { return static_cast<double>(t) / 1e9; }

// The reader bounds stamps so that this cannot overflow.
std::optional<double> Gap(Nanos from, Nanos to) {
  if (from == 0 || to == 0 || to < from) return std::nullopt;
  return Exactly(to - from);
}

bool IsWithin(const std::vector<double>& values, double target) {
  return std::all_of(values.begin(), values.end(), [target](double v) { return v <= target; });
}

Judged Compare(std::vector<double> values, double target) {
  if (values.empty()) return {};
  const bool met = IsWithin(values, target);
  return {met ? Judged::kMet : Judged::kMissed, std::move(values)};
}

Judged Compare(std::optional<double> value, double target) {
  std::vector<double> values;
  if (value) values.push_back(*value);
  return Compare(std::move(values), target);
}

// Every step must be in time, the first with its queueing and text encoding included.
Judged JudgeSteps(const RequestDone& done, double target) {
  const auto first = FirstStep(done);
  const auto later = LaterSteps(done);
  if (!first || !later) return {};
  std::vector<double> steps;
  steps.push_back(*first);
  for (const double step : *later) steps.push_back(step);
  return Compare(std::move(steps), target);
}

// An answer that is complete with its first chunk has no TPOT by definition; one without any
// token lacks it.
Judged JudgeTpot(const RequestDone& done, double target) {
  if (done.t_first != 0 && OutputTokens(done) && !HasTpot(done))
    return {Judged::kNotApplicable, {}};
  return Compare(Tpot(done), target);
}

}  // namespace

std::optional<double> TtftService(const RequestDone& done) {
  return Gap(done.t_send, done.t_first);
}
std::optional<double> TtftResponse(const RequestDone& done) {
  return Gap(done.t_sched, done.t_first);
}
std::optional<double> Ttfo(const RequestDone& done) {
  return Gap(done.t_send, done.t_first_content);
}
std::optional<double> E2eService(const RequestDone& done) { return Gap(done.t_send, done.t_end); }
std::optional<double> E2eResponse(const RequestDone& done) { return Gap(done.t_sched, done.t_end); }
std::optional<double> DispatchDelay(const RequestDone& done) {
  return Gap(done.t_sched, done.t_send);
}

std::int64_t FirstChunkTokens(const RequestDone& done) {
  return done.counts.empty() ? 1 : std::max(1, done.counts.front());
}

std::optional<std::int64_t> OutputTokens(const RequestDone& done) {
  const int tokens = done.usage_tokens.value_or(done.stream_tokens);
  if (tokens <= 0) return std::nullopt;
  return tokens;
}

bool HasTpot(const RequestDone& done) {
  const auto tokens = OutputTokens(done);
  return tokens && *tokens > FirstChunkTokens(done);
}

std::optional<double> Tpot(const RequestDone& done) {
  const auto stream = Gap(done.t_first, done.t_last);
  // All tokens at one instant: the server did not stream, so nothing was measured.
  if (!HasTpot(done) || !stream || *stream <= 0) return std::nullopt;
  return *stream / static_cast<double>(*OutputTokens(done) - FirstChunkTokens(done));
}

void AddItl(const RequestDone& done, Samples& samples) {
  const std::size_t chunks = std::min(done.deltas.size(), done.counts.size());
  for (std::size_t k = 1; k < chunks; ++k) {
    const int tokens = std::max(1, done.counts[k]);
    if (done.deltas[k] >= 0) samples.Add(ToSeconds(done.deltas[k]) / tokens, tokens);
  }
}

std::optional<double> Fluidity(const RequestDone& done, double tpot_target_s) {
  const std::size_t chunks = std::min(done.deltas.size(), done.counts.size());
  const double target = std::round(tpot_target_s * 1e9);  // in ns, so that sums are exact
  double arrival = 0, missed = 0;                         // arrival: ns from t_first
  double token = 0;                                       // index of the chunk's first token
  for (std::size_t k = 0; k < chunks; ++k) {
    const double tokens = std::max(1, done.counts[k]);
    arrival += static_cast<double>(done.deltas[k]);
    // Token i is late if i · target < arrival.
    missed += std::clamp(std::ceil(arrival / target) - token, 0.0, tokens);
    token += tokens;
  }
  if (token < 2 || target <= 0 || !(missed <= token - 1)) return std::nullopt;
  return 1 - missed / (token - 1);
}

std::optional<double> FirstStep(const RequestDone& done) {
  return done.steps.empty() ? std::nullopt : Gap(done.t_send, done.steps.front());
}

std::optional<std::vector<double>> LaterSteps(const RequestDone& done) {
  std::vector<double> gaps;
  for (std::size_t k = 1; k < done.steps.size(); ++k) {
    const auto gap = Gap(done.steps[k - 1], done.steps[k]);
    if (!gap) return std::nullopt;
    gaps.push_back(*gap);
  }
  return gaps;
}

std::optional<double> SegmentLatency(const RequestDone& done) {
  return Gap(done.t_available, done.t_end);
}

std::optional<double> Rtf(const RequestDone& done) {
  const auto busy = E2eService(done);
  if (!busy || done.audio <= 0) return std::nullopt;
  return *busy / ToSeconds(done.audio);
}

std::optional<double> Episode(const RequestDone& done) {
  return done.t_send != 0 ? E2eService(done) : E2eResponse(done);
}

Judged Judge(std::string_view metric, double target_s, const RequestDone& done) {
  if (metric == "ttft") return Compare(TtftResponse(done), target_s);
  if (metric == "tpot") return JudgeTpot(done, target_s);
  if (metric == "step") return JudgeSteps(done, target_s);
  if (metric == "segment") return Compare(SegmentLatency(done), target_s);
  if (metric == "e2e") return Compare(E2eResponse(done), target_s);
  return {};
}

}  // namespace cbench::report
