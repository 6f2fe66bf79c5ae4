// What a user does. An app runs one task: it issues the task's requests on an engine, in its own
// rhythm, and reports each one. Apps decide nothing about SLOs; they only leave facts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/result.h"
#include "engine/engine.h"
#include "record/event.h"
#include "scenario/scenario.h"

namespace cbench::app {

// Where an app leaves its facts; run/ makes ids and writes the record. Thread-safe.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual std::uint64_t Issue(const std::string& kind, Nanos t_sched) = 0;  // returns the id
  virtual void Finish(std::uint64_t id, record::RequestDone done) = 0;      // fills id, task, kind
};

struct Context {
  const scenario::AppSpec& app;
  const scenario::TaskSpec& task;
  engine::Engine* engine;  // null for null, sleep and exec
  Sink& sink;
  const Cancel& cancel;             // run over, Ctrl-C or the task's engine died
  std::uint64_t seed;               // this task's; equal in every strategy and repetition
  std::filesystem::path home;       // HomeDir(): data/ is below it
  std::filesystem::path directory;  // the scenario's folder; relative paths start there, then home
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to a command's
};

class App {
 public:
  virtual ~App() = default;
  // Reads data sets and checks them, before any engine starts (context.engine may be null here).
  // Errors name the file to change.
  virtual Result<> Prepare(const Context& context) = 0;
  // How many requests Run will issue if nothing goes wrong; valid after Prepare. A task that ends
  // early is judged against this number, not against what it got round to issuing.
  virtual int PlannedRequests(const Context& context) const { return context.task.requests; }
  // Issues the task's requests; returns when the last has ended or `cancel` was triggered. A failed
  // request is a fact for the sink, not an error; an error ends the task as failed. May be called
  // again for another repetition.
  virtual Result<> Run(const Context& context) = 0;
};

// An app plug-in: one descriptor a file in apps/, listed in registry.cc.
struct Descriptor {
  scenario::AppType type;
  const char* summary;
  Result<> (*available)();
  std::unique_ptr<App> (*make)();
};
const std::vector<const Descriptor*>& Apps();
const Descriptor* FindApp(scenario::AppType type);

}  // namespace cbench::app
