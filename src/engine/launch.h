// Engines as child processes: start, prove ready, notice death, stop.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "engine/engine.h"

namespace cbench::engine {

// What a class of engine is for; decides which real request proves readiness.
enum class Modality { kText, kSpeech, kImage };
Modality ModalityOf(const scenario::EngineSpec& spec, scenario::AppType first_user);

struct LaunchOptions {
  std::filesystem::path log;        // stdout and stderr, capped
  std::filesystem::path cbench;     // this program, for embedded engines
  std::vector<std::string> prefix;  // words before the command, e.g. {"nice", "-n", "10"}
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
  Nanos ready_timeout = 600 * kSecond;             // a synthetic model may have to be made first
  std::function<void(std::string_view)> progress;  // a line a step, for people; may be empty
  std::function<void(int status)> on_exit;  // called once from a watcher thread if it dies unasked
};

// A running engine. Destruction stops what Launch started (TERM to the group, then KILL after a
// grace period) and never what was attached.
class Running {
 public:
  virtual ~Running() = default;
  virtual Engine& engine() = 0;
  virtual int pid() const = 0;          // 0: attached
  virtual Nanos load_time() const = 0;  // start to first real answer
  virtual Json facts() const = 0;       // version, model, synthetic weights, device: for run.json
  virtual void Stop() = 0;              // idempotent
};

Result<std::unique_ptr<Running>> Launch(const scenario::EngineSpec& spec, Modality modality,
                                        const LaunchOptions& options, const Cancel& cancel);

}  // namespace cbench::engine
