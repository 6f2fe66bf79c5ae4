#include "embedded/text_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace cbench::embedded {
namespace {

constexpr Nanos kEndless = std::numeric_limits<Nanos>::max();
constexpr Nanos kStarvation = 2 * kSecond;  // as in share::PolicyParams
// An answer that is so late has lost its deadline: holding others back would not mend it.
constexpr Nanos kLost = kSecond;

bool IsLatency(const Claim& claim) { return claim.app_class == share::AppClass::kLatency; }

// What the latency class's answers can spare before their next token is due.
Nanos Spare(std::span<const Claim> claims, const PromptPace& pace, Nanos now) {
  Nanos spare = kEndless;
  for (const Claim& claim : claims) {
    if (!IsLatency(claim) || claim.prompt_left > 0 || claim.deadline == 0) continue;
    if (now - claim.deadline > kLost) continue;
    spare = std::min(spare, claim.deadline - now - pace.answer());
  }
  return spare;
}

// Prompts in the order in which they are served.
std::vector<std::size_t> Prompts(std::span<const Claim> claims, bool by_class) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < claims.size(); ++i)
    if (claims[i].prompt_left > 0) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto rank = [&](const Claim& claim) {
      return std::pair(by_class ? claim.app_class : share::AppClass::kLatency, claim.begun);
    };
    return rank(claims[a]) < rank(claims[b]);
  });
  return order;
}

}  // namespace

std::vector<int> PlanStep(std::span<const Claim> claims, const PromptPace& pace,
                          const StepLimits& limits, Nanos now) {
  const Nanos spare = limits.arranged ? Spare(claims, pace, now) : kEndless;
  const auto yields = [&](const Claim& claim) {
    return !IsLatency(claim) && spare != kEndless && now - claim.served < kStarvation;
  };
  std::vector<int> plan(claims.size(), 0);
  for (std::size_t i = 0; i < claims.size(); ++i)
    plan[i] = claims[i].prompt_left == 0 && !(yields(claims[i]) && spare < 0);
  const int room = limits.tokens - std::accumulate(plan.begin(), plan.end(), 0);
  int left = std::min(room, pace.Tokens(limits.longest));
  for (const std::size_t i : Prompts(claims, limits.arranged)) {
    const int fit = yields(claims[i]) ? std::min(left, pace.TokensWithin(spare)) : left;
    plan[i] = std::min(claims[i].prompt_left, fit);
    left -= plan[i];
  }
  return plan;
}

}  // namespace cbench::embedded
