// Time. Everything measured is monotonic nanoseconds (CLOCK_MONOTONIC), one clock for all
// processes of a machine, so stamps of harness and engines can be laid side by side.
#pragma once

#include <cstdint>
#include <string>

namespace cbench {

using Nanos = std::int64_t;  // a duration or a point of CLOCK_MONOTONIC, in ns

constexpr Nanos kMicrosecond = 1'000;
constexpr Nanos kMillisecond = 1'000'000;
constexpr Nanos kSecond = 1'000'000'000;

constexpr double ToSeconds(Nanos t) { return static_cast<double>(t) * 1e-9; }
constexpr Nanos FromSeconds(double s) { return static_cast<Nanos>(s * 1e9); }

Nanos Now();

// Wall-clock time, for names and headings only: "2026-12-01T10:20:30Z" and "20261201-102030".
std::string UtcNow();
std::string UtcNowCompact();

}  // namespace cbench
