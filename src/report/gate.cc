#include "report/gate.h"

#include <cmath>

namespace cbench::report {

void GateStatistics::Add(const record::Step& step) {
  if (step.begin == 0 || step.end < step.begin) return;
  const double hold = ToSeconds(step.end - step.begin);
  hold_.Add(hold);
  held_s_ += hold;
  if (step.asked != 0 && step.asked <= step.begin) wait_.Add(ToSeconds(step.begin - step.asked));
  if (step.predicted <= 0 || hold <= 0) return;
  const double predicted = ToSeconds(step.predicted);
  error_.Add(std::abs(predicted - hold) / hold);
  above_ += hold > predicted;
}

GateUse GateStatistics::Describe() {
  GateUse use;
  use.holds = static_cast<std::size_t>(hold_.count());
  use.held_s = held_s_;
  use.wait = wait_.Describe();
  use.hold = hold_.Describe();
  use.prediction_error = error_.Percentile(50);
  if (error_.count() > 0)
    use.above_prediction = static_cast<double>(above_) / static_cast<double>(error_.count());
  return use;
}

}  // namespace cbench::report
