// What the record's header says was planned: the resolved scenario of run.json, read tolerantly.
// report/ may not include scenario/, so that old records render on any later version.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "record/reader.h"

namespace cbench::report {

struct PlannedApp {
  std::string type, priority_class;
  std::vector<std::pair<std::string, double>> slo;  // metric, target in seconds
};

struct PlannedTask {
  std::string name, app;
  int requests = 0;  // 0: unknown
  std::vector<std::string> after;
};

struct Plan {
  std::map<std::string, PlannedApp> apps;
  std::vector<PlannedTask> tasks;              // workflow order
  std::size_t runs = 0;                        // strategies × repeat; 0: unknown
  std::vector<std::string> synthetic_engines;  // engines with random weights
};

Plan ReadPlan(const record::Header& header);

}  // namespace cbench::report
