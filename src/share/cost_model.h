// What a step will cost: device time by account, kind and size, learnt from the steps before. A
// policy needs the mean to see whether a deadline is in danger, and the 95th percentile to see
// whether a step that can't be pushed aside fits in front of one. Fixed size, trivially copyable
// and valid when all zero, because it lives in memory shared by the processes that learn and ask;
// whoever calls holds the lock. No allocation, some 10 ns a call for a shape that is known.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "base/clock.h"
#include "share/account.h"
#include "share/step_hook.h"

namespace cbench::share {

struct Cost {
  Nanos mean = 0, q95 = 0;
  bool known = false;  // such a step was seen before; else scaled from another size, or a guess
};

// How well steps of known shape were predicted.
struct CostError {
  std::int64_t steps = 0;
  std::int64_t under_q95 = 0;  // steps that took no longer than their q95
  double measured = 0;         // sum of what they took, ns
  double off = 0;              // sum of |measured - predicted mean|, ns

  double Relative() const { return measured > 0 ? off / measured : 0; }  // 0.1: 10 % off
  double Coverage() const;                                               // 0.95 would be right
};

class CostModel {
 public:
  // A shape never seen is scaled from the nearest size of the same account and kind, upwards for
  // mean and q95, downwards for the mean only; with nothing to scale from it is kUnknownCost.
  Cost Predict(int account, StepKind kind, int size) const;

  // Moving average with alpha = 0.2; q95 by stochastic approximation (Robbins and Monro 1951),
  // whose step follows the spread, so that it finds a changed device again.
  void Learn(int account, StepKind kind, int size, Nanos measured);

  void Forget(int account);  // its place goes to another app
  const CostError& Error(int account) const;

  static constexpr Nanos kUnknownCost = 100 * kMillisecond;  // rather too long than too short
  static constexpr int kEntries = 256;

 private:
  struct Entry {
    std::uint32_t key = 0;   // 0: free
    std::uint32_t used = 0;  // the model's clock at its last use in Learn
    std::int32_t size = 0;   // last size seen in this bucket
    double mean = 0, spread = 0, q95 = 0;
  };

  const Entry* Find(std::uint32_t key) const;
  Entry& Place(std::uint32_t key);
  const Entry* Nearest(int account, StepKind kind, int size) const;

  std::array<Entry, kEntries> entries_;
  std::array<CostError, kMaxAccounts> errors_;
  std::uint32_t clock_ = 0;
};
static_assert(std::is_trivially_copyable_v<CostModel>);

}  // namespace cbench::share
