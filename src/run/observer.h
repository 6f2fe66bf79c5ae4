// Who is told how a run goes, for people watching. Called from several threads, one call at a
// time for each observer method; must return quickly.
#pragma once

#include <string>
#include <string_view>

#include "scenario/scenario.h"

namespace cbench::run {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnNote(std::string_view note) = 0;  // "starting engine text …"
  virtual void OnRunStart(std::string_view strategy, int repeat,
                          const scenario::Scenario& scenario) = 0;
  virtual void OnTask(const std::string& task, std::string_view state, int planned) = 0;
  virtual void OnRequest(const std::string& task, int ended, int failed) = 0;
  virtual void OnRunEnd(std::string_view status) = 0;
};

}  // namespace cbench::run
