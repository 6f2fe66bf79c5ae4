// Which latencies stand for an app: its slow-downs are those of these metrics, the first of them
// is its primary one. Names are those of TaskSummary::metrics.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/event.h"
#include "report/statistics.h"

namespace cbench::report {

// chatbot: itl, tpot, ttft, ttft_response; live_captions: segment; image_gen: step;
// deep_research: episode; others: e2e. Never empty.
const std::vector<std::string>& KeyLatencies(std::string_view app_type);

// Adds what `metric`, one of the above, says of a completed request.
void AddKey(std::string_view metric, const record::RequestDone& done, Samples& samples);

// False for null, sleep and exec, which compute nothing on the device that is handed out.
bool UsesDevice(std::string_view app_type);

}  // namespace cbench::report
