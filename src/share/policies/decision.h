// One decision of the credit policy. Where a back step can't get in the way of a front step, each
// lane is decided on its own; `front` and `back` below say which lanes compete.
#pragma once

#include "share/policies/horizon.h"

namespace cbench::share {

class Decision {
 public:
  Decision(const View& view, const PolicyParams& params);
  Choice Make() const;

 private:
  bool Competes(const Candidate& candidate, bool front, bool back) const;
  const Candidate* Forced() const;
  bool MayForce() const;
  Choice Best(bool front, bool back) const;
  Nanos Reserve(const Candidate* turn) const;
  const Candidate* Urgent(bool front, bool back, Nanos reserve) const;
  const Candidate* Turn(bool front, bool back) const;
  const Candidate* Shortest() const;
  const Candidate* MostOwedBehind() const;
  bool FrontIsOwedMore(const Candidate& back) const;
  bool Fits(const Candidate& candidate) const;
  Choice Hold() const;

  const View& view_;
  const PolicyParams& params_;
  Room room_;
  bool back_blocks_front_;
  Candidates candidates_;
  Horizon latency_, throughput_;
};

}  // namespace cbench::share
