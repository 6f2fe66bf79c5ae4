// What `cbench share status` shows of a gate, for people and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "share/gate/gate.h"

namespace cbench::cli {

struct ShareRow {
  enum class State { kIdle, kWaits, kHolds };

  std::string app;
  share::AppClass app_class = share::AppClass::kLatency;
  double weight = 1;
  std::vector<int> processes;  // those that ask, else those that were started to
  State state = State::kIdle;
  Nanos since = 0;          // how long it has waited or held
  std::int64_t steps = 0;   // since it came
  double steps_per_s = 0;   // this and the next two: over ShareView::window
  double device_share = 0;  // of the time
  Nanos mean_wait = 0;      // of a step for the device
  Nanos credit = 0;         // device time it is owed (> 0) or has had in advance (< 0)
};

struct ShareView {
  std::string policy;
  std::vector<ShareRow> rows;  // of apps that are there, or were within the window
  Nanos window = 0;
};

inline constexpr Nanos kShareWindow = 5 * kSecond;

// `holds`: the latest ones, oldest first; what is older than the window is left out.
ShareView MakeShareView(const share::GateStatus& status, const std::vector<share::Hold>& holds);

std::string ToText(const ShareView& view);
Json ToJson(const ShareView& view);

}  // namespace cbench::cli
