// Deadlines in their order, and the time each has to spare if the device served them in that order
// from now on. Earliest deadline first meets every set of deadlines that can be met on one device
// (Jackson 1955, Liu and Layland 1973), so what is spare in that order is what others may take.
#pragma once

#include <array>
#include <limits>

#include "share/policies/candidates.h"

namespace cbench::share {

class Horizon {
 public:
  static constexpr Nanos kEndless = std::numeric_limits<Nanos>::max();

  // Of the candidates of one class that have a deadline; `width` steps of them run at once.
  Horizon(std::span<const Candidate> candidates, AppClass app_class, Nanos now, int width);

  // Least time to spare among deadlines before `deadline` (0: among all); kEndless if none.
  Nanos Spare(Nanos deadline) const;

  // Whether the deadlines of those that wait can spare the idle time until the candidate, who is
  // expected only, has come or is given up.
  bool SparesHold(const Candidate& expected) const;

  // Earliest deadline among those that can be served now: those that wait, and those whose next
  // pass is worth the hold. nullptr: none.
  const Candidate* First() const;

 private:
  void Insert(const Candidate& candidate);

  Nanos now_ = 0;
  std::array<const Candidate*, kMaxSteps + kMaxAccounts> order_;
  std::array<Nanos, kMaxSteps + kMaxAccounts> slack_;
  std::size_t count_ = 0;
};

}  // namespace cbench::share
