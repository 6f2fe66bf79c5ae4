// Who competes for the device: the steps that wait, and the latency class's steps that are not
// there yet but expected within the hold: the next pass of a request whose last pass has just
// ended, and the first pass of a request announced for a known time.
#pragma once

#include <array>
#include <span>

#include "share/policies/room.h"

namespace cbench::share {

// No member has an initialiser: an array of 96 of them must cost nothing. Add sets them all.
struct Candidate {
  int waiting;  // index into View::waiting; -1: expected
  int account;
  AppClass app_class;
  bool announced;     // expected: a new request, not the next pass of one
  Nanos asked;        // expected: when its request's last pass ended
  Nanos hold_until;   // expected: how long the device may idle for it
  Nanos deadline;     // one that can still be met; 0: none, or it is lost
  Nanos q95;          // of this step
  Nanos to_deadline;  // predicted device time until its deadline is met ...
  Nanos of_request;   // ... and of its request as a whole
  Nanos credit;
};

class Candidates {
 public:
  // With `expected` false, only the steps that wait.
  Candidates(const View& view, const PolicyParams& params, bool expected);
  std::span<const Candidate> all() const { return {all_.data(), count_}; }

 private:
  void AddWaiting(const View& view, const PolicyParams& params);
  void AddExpected(const View& view, const PolicyParams& params);
  void AddNextPass(const View& view, const PolicyParams& params, int account);
  void AddAnnounced(const View& view, const PolicyParams& params, int account);
  Candidate& Add(const View& view, const PolicyParams& params, const StepView& step);

  std::array<Candidate, kMaxSteps + kMaxAccounts> all_;
  std::size_t count_ = 0;
};

}  // namespace cbench::share
