// Sleeping on a word of memory that processes share. Thin over the system call.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace cbench::share {

// Sleeps while `word` is `seen`, until `limit` at most. May return early for no reason.
void FutexWait(std::uint32_t& word, std::uint32_t seen, Nanos limit);

// Wakes whoever sleeps on the word.
void FutexWake(std::uint32_t& word);

}  // namespace cbench::share
