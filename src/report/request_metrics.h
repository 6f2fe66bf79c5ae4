// One finished request -> its metrics, in seconds. Each function is one row of docs/metrics.md.
// A value is null if one of its stamps is absent or if they are out of order: a measurement that
// cannot be right is missing, not zero.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "record/event.h"
#include "report/statistics.h"

namespace cbench::report {

std::optional<double> TtftService(const record::RequestDone& done);    // t_first - t_send
std::optional<double> TtftResponse(const record::RequestDone& done);   // t_first - t_sched
std::optional<double> Ttfo(const record::RequestDone& done);           // t_first_content - t_send
std::optional<double> E2eService(const record::RequestDone& done);     // t_end - t_send
std::optional<double> E2eResponse(const record::RequestDone& done);    // t_end - t_sched
std::optional<double> DispatchDelay(const record::RequestDone& done);  // t_send - t_sched

std::int64_t FirstChunkTokens(const record::RequestDone& done);  // n_first; 1 if unknown
// n: the server's count if it gave one, else the stream's; null if neither counted any.
std::optional<std::int64_t> OutputTokens(const record::RequestDone& done);

// False if the whole answer came in its first chunk: there is no time between tokens then.
bool HasTpot(const record::RequestDone& done);
std::optional<double> Tpot(const record::RequestDone& done);
void AddItl(const record::RequestDone& done, Samples& samples);
// Share of the stream's tokens after the first that met t_first + k·tpot_target; null without.
std::optional<double> Fluidity(const record::RequestDone& done, double tpot_target_s);

std::optional<double> FirstStep(const record::RequestDone& done);  // steps[0] - t_send
// Gaps between later steps; null if any is out of order.
std::optional<std::vector<double>> LaterSteps(const record::RequestDone& done);
std::optional<double> SegmentLatency(const record::RequestDone& done);  // t_end - t_available
std::optional<double> Rtf(const record::RequestDone& done);             // (t_end - t_send) / audio
std::optional<double> Episode(const record::RequestDone& done);  // t_end - t_send, else t_sched

// Did a completed request meet `metric` ≤ target?
struct Judged {
  enum Outcome { kMet, kMissed, kMissing, kNotApplicable } outcome = kMissing;
  std::vector<double> values;  // what was compared with the target
};
Judged Judge(std::string_view metric, double target_s, const record::RequestDone& done);

}  // namespace cbench::report
