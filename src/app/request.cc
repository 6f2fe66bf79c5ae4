#include "app/request.h"

#include <utility>

namespace cbench::app {

std::optional<Nanos> Target(const scenario::AppSpec& app, scenario::SloMetric metric) {
  for (const auto& slo : app.slo) {
    if (slo.metric == metric) return slo.target;
  }
  return std::nullopt;
}

share::Urgency MakeUrgency(const scenario::AppSpec& app, Nanos t_sched, std::optional<Nanos> first,
                           std::optional<Nanos> per_step) {
  return {.app = app.name,
          .priority_class = std::string(scenario::Name(app.priority_class)),
          .deadline = first ? t_sched + *first : 0,
          .per_step = per_step.value_or(0),
          .weight = app.weight};
}

record::RequestDone FailedRequest(Nanos t_sched, std::string kind, std::string message) {
  record::RequestDone done;
  done.failure = record::Failure{std::move(kind), std::move(message)};
  done.t_sched = t_sched;
  done.t_end = Now();
  return done;
}

}  // namespace cbench::app
