// Where a test may let a process die in the middle of a change. Costs a comparison otherwise.
#pragma once

namespace cbench::share {

using CrashHandler = void (*)(const char* where);
inline CrashHandler crash_handler = nullptr;  // set before threads use the gate

inline void CrashPoint(const char* where) {
  if (crash_handler != nullptr) crash_handler(where);
}

}  // namespace cbench::share
