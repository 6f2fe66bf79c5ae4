// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): the same
// numbers on every machine, unlike what <random> distributes.
#pragma once

#include <cstdint>

namespace cbench {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    const std::uint64_t number = Nth(state_, 0);
    state_ += kStep;
    return number;
  }

  // What the (n+1)-th Next() of `seed` returns.
  static std::uint64_t Nth(std::uint64_t seed, std::uint64_t n) {
    std::uint64_t z = seed + (n + 1) * kStep;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;
  std::uint64_t state_;
};

}  // namespace cbench
