// A command as a child process: no shell, its own process group. Nothing it started outlives it or
// us, kill -9 included (warden.h says how, and what the limits are).
//
// Threads and locks: one keeper thread for the whole process forks every child, reads its output,
// notices its death (pidfd) and reaps it. Each child has one mutex, shared by the keeper and the
// thread that holds the Subprocess. Callbacks run on the keeper thread: they must be quick and must
// not start, stop or destroy a Subprocess.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace cbench {

struct Exit {
  bool signalled = false;
  int code = 0;         // exit status, or the signal's number
  int wait_status = 0;  // as waitpid gives it
  Nanos user = 0, system = 0;
  long max_rss_kib = 0;
  std::string ToString() const;  // "exit status 3", "signal 9 (Killed)"
};

struct SubprocessOptions {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH unless it has a slash
  std::vector<std::pair<std::string, std::string>> environment;  // added to ours
  std::filesystem::path directory;                               // empty: ours
  std::filesystem::path log;          // stdout and stderr are appended here; empty: dropped
  std::size_t log_limit = 16u << 20;  // bytes; what comes later is dropped and the log says so
  bool hold_stdin =
      false;  // a pipe that we hold open, so that the child sees our end; else /dev/null
  std::function<void(std::string_view line)> on_line;  // of stdout; cut at 64 KiB
  std::function<void(const Exit&)> on_exit;            // once, after the last on_line
};

class ChildProcess;

class Subprocess {
 public:
  // Returns once the command runs (its exec succeeded). Errors name the command.
  static Result<std::unique_ptr<Subprocess>> Start(SubprocessOptions options);
  ~Subprocess();  // Stop
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  pid_t pid() const;
  std::optional<Exit> exit() const;  // nothing while it runs

  // Waits for the end, callbacks included; false if it did not come by t.
  bool WaitUntil(Nanos t) const;

  // SIGTERM to the group, SIGKILL to what is left after `grace`. Idempotent; returns when the
  // child is reaped.
  void Stop(Nanos grace = 5 * kSecond);

 private:
  explicit Subprocess(std::shared_ptr<ChildProcess> child);
  std::shared_ptr<ChildProcess> child_;
};

// The last `lines` lines of a file, for an error about the process that wrote it; empty if none.
std::string LogTail(const std::filesystem::path& log, int lines);

}  // namespace cbench
