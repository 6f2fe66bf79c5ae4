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
  double weight = 1;                                // its share of the device against the others'
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
  int alone = 0;                               // runs of each app alone
  std::vector<std::string> synthetic_engines;  // engines with random weights
  std::map<std::string, std::string> devices;  // engine -> "cpu", "gpu", …, where the plan says so
  std::map<std::string, std::map<std::string, std::string>> grains;  // strategy -> engine -> grain
};

Plan ReadPlan(const record::Header& header);

// Where the engine computes: cpu, gpu, …; "device" if the plan does not say.
std::string DeviceOf(const std::string& engine, const Plan& plan);

}  // namespace cbench::report
