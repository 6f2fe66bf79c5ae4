// A process by number and start time: numbers are used again, the pair is not (until a reboot).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace cbench::share {

struct ProcessId {
  std::int32_t pid = 0;     // 0: nobody
  std::uint64_t start = 0;  // clock ticks after boot, /proc/PID/stat field 22

  bool operator==(const ProcessId&) const = default;
};

// Of a running process; {} when there is none of that number. A zombie runs no more.
ProcessId ReadProcessId(pid_t pid);
ProcessId ParseProcessId(pid_t pid, const std::string& stat);

bool IsAlive(const ProcessId& process);

}  // namespace cbench::share
