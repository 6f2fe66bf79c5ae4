// Reproducible choices: everything an app picks follows from its task's seed, except the session
// number, which must differ from run to run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cbench::app {

// The n-th number that belongs to `seed` (base/random.h).
std::uint64_t Mix(std::uint64_t seed, std::uint64_t n);

// 0 … size-1 in an order that only `seed` decides.
std::vector<std::size_t> Permutation(std::size_t size, std::uint64_t seed);

// "Session 123456789." opens a conversation's system message, so that no engine answers from the
// prefix cache of another conversation or of an earlier run: not even one that stays up between
// runs. Hence the clock is part of it. Always nine digits, so that its token count stays the same.
std::string SessionLine(std::uint64_t seed, std::uint64_t conversation);

}  // namespace cbench::app
