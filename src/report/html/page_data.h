// What report.html shows, as one JSON value: cbench.page/1, described in docs/report.md.
#pragma once

#include "base/json.h"
#include "report/html/tracks.h"
#include "report/summary.h"

namespace cbench::report {

inline constexpr char kPageSchema[] = "cbench.page/1";

Json PageData(const Summary& summary, const record::Record& record, SpanBudget budget = {});

}  // namespace cbench::report
