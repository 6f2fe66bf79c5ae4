// Who is told how a run goes, for people watching. Called from several threads, one call at a
// time for each observer method; must return quickly.
#pragma once

#include <string>
#include <string_view>

#include "record/event.h"
#include "run/plan.h"

namespace cbench::run {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnNote(std::string_view note) = 0;  // "starting engine text …"
  virtual void OnRunStart(const record::RunStart& start, const Plan& plan, int repeats) = 0;
  virtual void OnTask(const std::string& task, std::string_view state, int planned) = 0;
  virtual void OnRequest(const std::string& task, int ended, int failed) = 0;
  virtual void OnRunEnd(std::string_view status) = 0;
};

}  // namespace cbench::run
