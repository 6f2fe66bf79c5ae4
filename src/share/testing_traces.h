// Random workloads for tests of policies.
#pragma once

#include <random>

#include "share/trace.h"

namespace cbench::share {

class RandomTraces {
 public:
  explicit RandomTraces(unsigned seed) : random_(seed) {}

  int Pick(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }

  // Two to five apps of any class, some with deadlines, some with gaps between their steps.
  std::vector<TraceApp> Mixed() {
    std::vector<TraceApp> apps;
    const int n = Pick(2, 5);
    for (int i = 0; i < n; ++i) apps.push_back(App("app" + std::to_string(i)));
    return apps;
  }

 private:
  TraceApp App(std::string name) {
    TraceApp app{.name = std::move(name),
                 .app_class = static_cast<AppClass>(Pick(0, 2)),
                 .weight = static_cast<double>(Pick(1, 4)),
                 .requests = {}};
    const int n = Pick(1, 6);
    for (int i = 0; i < n; ++i) app.requests.push_back(Request(i));
    return app;
  }

  TraceRequest Request(int number) {
    TraceRequest request{
        .at = Pick(0, 100) * number * kMillisecond, .after = Pick(0, 1) == 1, .steps = {}};
    if (Pick(0, 1) == 1) request.deadline = Pick(10, 800) * kMillisecond;
    if (Pick(0, 2) == 0) request.per_step = Pick(10, 300) * kMillisecond;
    const TraceStep step{.kind = static_cast<StepKind>(Pick(0, 5)),
                         .size = Pick(1, 512),
                         .cost = Pick(100, 40'000) * kMicrosecond,
                         .gap = Pick(0, 1) * Pick(0, 8'000) * kMicrosecond};
    request.steps.assign(static_cast<std::size_t>(Pick(1, 25)), step);
    return request;
  }

  std::mt19937 random_;
};

}  // namespace cbench::share
