// The gate of one run (strategies fifo, priority, credit): made before the engines, told to them
// by their environment, gone after them. Every hold becomes a step event of the record.
//
// Threads: one of its own reads the gate's ring between Begin and End; the others belong to the
// run's thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "record/writer.h"
#include "scenario/scenario.h"
#include "share/gate/gate.h"

namespace cbench::run {

class GateLog {
 public:
  static Result<std::unique_ptr<GateLog>> Make(std::string_view strategy, record::Writer& writer);
  ~GateLog();
  GateLog(const GateLog&) = delete;
  GateLog& operator=(const GateLog&) = delete;

  using Environment = std::vector<std::pair<std::string, std::string>>;
  std::pair<std::string, std::string> environment() const;  // of an engine that is to ask
  // ... and of an app's command that is to be asked for.
  Result<Environment> CommandEnvironment(const scenario::AppSpec& app) const;
  bool kernel_lanes() const { return gate_->options().kernel_lanes; }

  // The clock starts: holds from now on are recorded, under the names of the engines' processes.
  void Begin(std::map<int, std::string> engines);
  void End();  // the last holds are written

 private:
  GateLog(std::unique_ptr<share::Gate> gate, record::Writer& writer)
      : gate_(std::move(gate)), writer_(writer) {}
  void Read(const std::stop_token& stop);
  void Write();
  record::Step StepOf(const share::Hold& hold) const;

  const std::unique_ptr<share::Gate> gate_;
  record::Writer& writer_;
  std::map<int, std::string> engines_;
  std::jthread reader_;
};

}  // namespace cbench::run
