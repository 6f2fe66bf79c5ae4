#include "report/request_span.h"

#include <algorithm>

#include "report/request_metrics.h"

namespace cbench::report {

Outcome OutcomeOf(const RequestFacts& request, const PlannedApp& app) {
  if (!request.done) return kUnfinished;
  if (request.done->failure) return kFailed;
  if (app.slo.empty()) return kDone;
  for (const auto& [metric, target] : app.slo) {
    const Judged::Outcome outcome = Judge(metric, target, *request.done).outcome;
    if (outcome == Judged::kMissed || outcome == Judged::kMissing) return kMissed;
  }
  return kMet;
}

RequestSpan SpanOf(const RequestFacts& request, Nanos run_end) {
  RequestSpan span;
  span.asked = span.begin = request.sched;
  span.end = std::max(span.begin, run_end);
  const record::RequestDone* done = request.done;
  if (!done) return span;
  if (span.asked == 0) span.asked = done->t_send;
  span.begin = std::max(span.asked, done->t_send);
  span.end = std::max(span.begin, done->t_end);
  if (done->t_first >= span.begin && done->t_first <= span.end) span.first = done->t_first;
  return span;
}

}  // namespace cbench::report
