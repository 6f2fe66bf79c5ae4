// The engines of one run: started before the clock, warmed up, watched, stopped after it. What
// happens to them is written to the record as it happens.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "engine/launch.h"
#include "record/writer.h"
#include "run/arrangement.h"
#include "run/gate_log.h"
#include "run/observer.h"
#include "scenario/scenario.h"
#include "share/actuators/cgroup.h"

namespace cbench::run {

class EngineSet {
 public:
  EngineSet(const scenario::Scenario& scenario, record::Writer& writer, Observer& observer);
  ~EngineSet();
  EngineSet(const EngineSet&) = delete;
  EngineSet& operator=(const EngineSet&) = delete;

  // Starts every engine of the arrangement, one after the other, and sends each its warm-up
  // requests. On an error, what was started is stopped by the destructor.
  // `gate` may be null; engines whose placement is gated are told of it.
  Result<> Start(const std::vector<Placement>& placements, const GateLog* gate,
                 const Cancel& cancel);
  void Stop();

  engine::Engine* Find(const std::string& name) const;  // null: no such engine is running
  std::map<int, std::string> Processes() const;         // pid -> name of those started here
  Json Facts() const;                                   // name -> facts, for run.json

 private:
  Result<> StartOne(const Placement& placement, const GateLog* gate, const Cancel& cancel);
  Result<> Limit(const Placement& placement, pid_t process);
  void NoteExit(const std::string& name, int status);

  const scenario::Scenario& scenario_;
  record::Writer& writer_;
  Observer& observer_;
  std::map<std::string, share::CpuQuota> quotas_;  // go after the engines they hold
  std::map<std::string, std::unique_ptr<engine::Running>> running_;
};

}  // namespace cbench::run
