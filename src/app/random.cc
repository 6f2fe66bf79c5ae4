#include "app/random.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "base/clock.h"
#include "base/random.h"

namespace cbench::app {

std::uint64_t Mix(std::uint64_t seed, std::uint64_t n) { return SplitMix64::Nth(seed, n); }

std::vector<std::size_t> Permutation(std::size_t size, std::uint64_t seed) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[Mix(seed, i) % i]);
  return order;
}

std::string SessionLine(std::uint64_t seed, std::uint64_t conversation) {
  const std::uint64_t number = Mix(Mix(seed, conversation), static_cast<std::uint64_t>(Now()));
  return fmt::format("Session {}.", 100'000'000 + number % 900'000'000);
}

}  // namespace cbench::app
