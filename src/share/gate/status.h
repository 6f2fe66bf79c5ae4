// A look at the gate: who has the device, who waits, what everybody is owed.
#pragma once

#include <string>
#include <vector>

#include "share/gate/layout.h"

namespace cbench::share {

struct GateStatus {
  struct Step {
    std::string app;
    std::int32_t pid = 0;
    bool running = false;
    bool overrun = false;
    Nanos granted = 0;  // running only
    StepView view;
  };
  struct App {
    int index = 0;    // StepView::account
    Account account;  // .steps of two looks give steps per second
    CostError error;
  };

  struct Process {
    std::int32_t pid = 0;
    std::int32_t account = -1;  // whose steps it asks for; -1: it has not said
    bool keeper = false;        // it has only started those that ask
  };

  Nanos now = 0;
  std::string policy;
  Lanes lanes;
  bool open = false;  // everything runs free
  std::vector<Process> processes;
  std::uint64_t holds = 0, deaths = 0, overruns = 0, turned_away = 0;
  std::vector<Step> steps;
  std::vector<App> apps;
};

GateStatus MakeStatus(GateLayout& gate, Nanos now);  // the caller holds the lock

}  // namespace cbench::share
