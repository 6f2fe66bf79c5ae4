// How urgent an app's work is to its user, and the lane of the device its steps use.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cbench::share {

enum class AppClass : std::uint8_t { kLatency, kThroughput, kBackground };
std::string_view Name(AppClass app_class);  // latency, throughput, background
std::optional<AppClass> ParseAppClass(std::string_view name);

// Somebody waits at the front lane's end; the back lane fills what is left.
enum class Lane : std::uint8_t { kFront, kBack };
constexpr Lane LaneOf(AppClass app_class) {
  return app_class == AppClass::kLatency ? Lane::kFront : Lane::kBack;
}

// How many steps a device runs at once. A GPU that processes only time-slice: {1, 1, 1, false}.
// A CPU whose kernel keeps back-lane threads under SCHED_IDLE: {1, 1, 2, true}. A GPU under MPS:
// many front steps beside one back step.
struct Lanes {
  int front = 1, back = 1;  // steps of each lane at most
  int total = 1;            // steps of both lanes together at most
  bool preempts = false;    // the device itself lets a front step push a back step aside
};

}  // namespace cbench::share
