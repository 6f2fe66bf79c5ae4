// Which of several parallel lanes a span of time is drawn on. In a trace the slices of one track
// must nest, so spans that overlap, as requests and steps of several slots do, need one each.
#pragma once

#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace cbench::report {

class Lanes {
 public:
  // The lowest lane that is free at `begin`, which it then is not until `end`. Calls come in order
  // of begin.
  std::size_t Take(Nanos begin, Nanos end) {
    while (!busy_.empty() && busy_.top().first <= begin) {
      free_.push(busy_.top().second);
      busy_.pop();
    }
    if (free_.empty()) free_.push(count_++);
    const std::size_t lane = free_.top();
    free_.pop();
    busy_.emplace(end, lane);
    return lane;
  }

 private:
  template <typename T>
  using LowestFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

  LowestFirst<std::pair<Nanos, std::size_t>> busy_;  // until when, which
  LowestFirst<std::size_t> free_;
  std::size_t count_ = 0;
};

}  // namespace cbench::report
