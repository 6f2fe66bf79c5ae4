#include "share/policies/room.h"

namespace cbench::share {

Room FreeRoom(const View& view) {
  Room room{.front = view.lanes.front, .back = view.lanes.back, .total = view.lanes.total};
  for (const StepView& step : view.running) {
    --room.total;
    --(LaneOf(view, step) == Lane::kFront ? room.front : room.back);
  }
  return room;
}

}  // namespace cbench::share
