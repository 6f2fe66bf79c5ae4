#include "share/policies/decision.h"

#include <algorithm>
#include <tuple>

namespace cbench::share {
namespace {

bool IsFront(const Candidate& candidate) { return LaneOf(candidate.app_class) == Lane::kFront; }

Choice Grant(const Candidate& candidate, Reason why) {
  return {.waiting = candidate.waiting, .why = why};
}

// Somebody expected can lose only if the next grant takes the front lane's last place.
bool LastFrontPlace(const Room& room) { return std::min(room.front, room.total) == 1; }

}  // namespace

Decision::Decision(const View& view, const PolicyParams& params)
    : view_(view),
      params_(params),
      room_(FreeRoom(view)),
      back_blocks_front_(!view.lanes.preempts && room_.total == 1 && room_.front > 0),
      candidates_(view, params, params.anticipate && LastFrontPlace(room_)),
      latency_(candidates_.all(), AppClass::kLatency, view.now, view.lanes.front),
      throughput_(candidates_.all(), AppClass::kThroughput, view.now, view.lanes.back) {}

Choice Decision::Make() const {
  if (const Candidate* forced = Forced()) return Grant(*forced, Reason::kForced);
  if (back_blocks_front_) return Best(true, true);
  const Choice front = Best(true, false);
  if (front.waiting >= 0) return front;
  const Choice back = Best(false, true);
  return back.waiting >= 0 ? back : front;
}

bool Decision::Competes(const Candidate& candidate, bool front, bool back) const {
  return room_.For(LaneOf(candidate.app_class)) && (IsFront(candidate) ? front : back);
}

bool Decision::MayForce() const {
  for (const StepView& step : view_.running)
    if (step.why == Reason::kForced) return false;
  for (const Account& account : view_.accounts)
    if (account.last_forced != 0 && view_.now - account.last_forced < params_.starvation)
      return false;
  return true;
}

const Candidate* Decision::Forced() const {
  const Candidate* oldest = nullptr;
  for (const Candidate& candidate : candidates_.all()) {
    if (candidate.waiting < 0 || view_.now - candidate.asked < params_.starvation) continue;
    if (!Competes(candidate, true, true)) continue;
    if (oldest == nullptr || candidate.asked < oldest->asked) oldest = &candidate;
  }
  return oldest != nullptr && MayForce() ? oldest : nullptr;
}

Choice Decision::Best(bool front, bool back) const {
  const Candidate* turn = Turn(front, back);
  const Candidate* urgent = Urgent(front, back, Reserve(turn));
  const Candidate* best = urgent != nullptr ? urgent : turn;
  if (best == nullptr || best->waiting < 0) return Hold();
  if (best != turn) return Grant(*best, Reason::kSlack);
  const bool alone =
      std::none_of(candidates_.all().begin(), candidates_.all().end(),
                   [&](const Candidate& other) { return &other != best && IsFront(other); });
  return Grant(*best, IsFront(*best) && !alone ? Reason::kShort : Reason::kCredit);
}

// Looks again when the first of those expected has come or can no longer be waited for.
Choice Decision::Hold() const {
  Choice choice;
  for (const Candidate& candidate : candidates_.all()) {
    if (candidate.waiting >= 0) continue;
    if (choice.look_again == 0 || candidate.hold_until < choice.look_again)
      choice.look_again = candidate.hold_until;
  }
  return choice;
}

// What the latency class's deadlines must have to spare, or the first of them goes. After a short
// front step the choice is free again, so twice its time will do: a caption's pass of a millisecond
// does not wait until an answer is 50 ms ahead of its reader.
Nanos Decision::Reserve(const Candidate* turn) const {
  if (turn == nullptr || !IsFront(*turn)) return params_.slack;
  return std::min(params_.slack, 2 * turn->q95);
}

const Candidate* Decision::Urgent(bool front, bool back, Nanos reserve) const {
  const Candidate* first = latency_.First();
  if (front && first != nullptr && room_.For(Lane::kFront) && latency_.Spare(0) < reserve)
    return first;
  first = throughput_.First();
  if (back && first != nullptr && room_.For(Lane::kBack) && throughput_.Spare(0) < params_.slack &&
      Fits(*first))
    return first;
  return nullptr;
}

const Candidate* Decision::Turn(bool front, bool back) const {
  const Candidate* ahead = front ? Shortest() : nullptr;
  const Candidate* behind = back ? MostOwedBehind() : nullptr;
  if (ahead == nullptr || behind == nullptr) return ahead != nullptr ? ahead : behind;
  return FrontIsOwedMore(*behind) ? ahead : behind;
}

// Preemptive shortest job first: by the size of the request as a whole, not by what is left of it
// (Smith 1956; Wierman et al. 2005: in the mean at most twice the best). So of two apps the same
// one always goes first: a caption is never kept waiting by an answer that happens to be near its
// end.
const Candidate* Decision::Shortest() const {
  const auto rank = [](const Candidate& c) { return std::tuple(c.of_request, c.asked); };
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates_.all()) {
    if (candidate.announced || !Competes(candidate, true, false) || !Fits(candidate)) continue;
    if (best == nullptr || rank(candidate) < rank(*best)) best = &candidate;
  }
  return best;
}

const Candidate* Decision::MostOwedBehind() const {
  const auto rank = [](const Candidate& c) { return std::tuple(-c.credit, c.asked); };
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates_.all()) {
    if (!Competes(candidate, false, true) || !Fits(candidate)) continue;
    if (best == nullptr || rank(candidate) < rank(*best)) best = &candidate;
  }
  return best;
}

bool Decision::FrontIsOwedMore(const Candidate& back) const {
  for (const Candidate& candidate : candidates_.all()) {
    if (candidate.announced || !Competes(candidate, true, false) || !Fits(candidate)) continue;
    if (candidate.credit > back.credit) return true;
    if (candidate.credit == back.credit && candidate.asked <= back.asked) return true;
  }
  return false;
}

// Whether every earlier deadline of the classes that go before can spare the candidate's time.
bool Decision::Fits(const Candidate& candidate) const {
  if (candidate.waiting < 0 && !latency_.SparesHold(candidate)) return false;
  if (IsFront(candidate)) return candidate.q95 <= latency_.Spare(candidate.deadline);
  if (back_blocks_front_ && candidate.q95 > latency_.Spare(0)) return false;
  const bool throughput = candidate.app_class == AppClass::kThroughput;
  return candidate.q95 <= throughput_.Spare(throughput ? candidate.deadline : 0);
}

}  // namespace cbench::share
