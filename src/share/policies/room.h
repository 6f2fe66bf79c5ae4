// Which lane has room for another step.
#pragma once

#include "share/policy.h"

namespace cbench::share {

struct Room {
  int front = 0, back = 0;  // further steps that may start in each lane
  int total = 0;            // ... and together
  bool For(Lane lane) const { return total > 0 && (lane == Lane::kFront ? front : back) > 0; }
};

inline const Account& AccountOf(const View& view, const StepView& step) {
  return view.accounts[static_cast<std::size_t>(step.account)];
}
inline Lane LaneOf(const View& view, const StepView& step) {
  return LaneOf(AccountOf(view, step).app_class);
}

Room FreeRoom(const View& view);

// The waiting step for which `before` holds against every other and whose lane has room, as a
// choice for `why`; nobody if no lane has room. `before(a, b)`: a goes before b.
template <typename Before>
Choice First(const View& view, Reason why, Before before) {
  const Room room = FreeRoom(view);
  Choice choice;
  const StepView* first = nullptr;
  for (std::size_t i = 0; i < view.waiting.size(); ++i) {
    const StepView& step = view.waiting[i];
    if (!room.For(LaneOf(view, step))) continue;
    if (first != nullptr && !before(step, *first)) continue;
    first = &step;
    choice = {.waiting = static_cast<int>(i), .why = why};
  }
  return choice;
}

}  // namespace cbench::share
