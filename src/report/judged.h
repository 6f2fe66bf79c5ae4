// One run with everything that verdicts, doubts and comparisons look at.
#pragma once

#include <vector>

#include "report/facts.h"
#include "report/task_summary.h"

namespace cbench::report {

struct JudgedRun {
  const RunFacts& facts;
  std::vector<SummarizedTask> tasks;  // as in facts.tasks, in workflow order
};

}  // namespace cbench::report
