#include "share/gate/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <ctime>

namespace cbench::share {

void FutexWait(std::uint32_t& word, std::uint32_t seen, Nanos limit) {
  limit = std::max<Nanos>(limit, 0);
  const timespec until{static_cast<time_t>(limit / kSecond), static_cast<long>(limit % kSecond)};
  // The BITSET form takes a point of CLOCK_MONOTONIC; the plain one a duration.
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, seen, &until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

void FutexWake(std::uint32_t& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace cbench::share
