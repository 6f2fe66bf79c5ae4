// Requests that are commands of the user's: a workload that no app covers. Each request runs the
// command once, without a shell, in the scenario's folder; any exit other than 0 is a failed
// request. The end of what it printed is kept for people.
//
// Threads: the command's end and its lines arrive on the keeper thread of base/subprocess, the
// trigger of `cancel` on the thread that pulled it; the task's thread waits for either, or for the
// time limit. `Watch::mutex` guards what they share.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "app/app.h"
#include "app/request.h"
#include "base/subprocess.h"
#include "base/units.h"

namespace cbench::app {
namespace {

struct Watch {
  std::mutex mutex;
  std::condition_variable changed;
  bool cancelled = false;
  std::optional<Exit> exit;
  std::string tail;  // of stdout

  void AddLine(std::string_view line) {
    const std::lock_guard lock(mutex);
    tail.append(line).push_back('\n');
    if (tail.size() > record::kMaxOutput) tail.erase(0, tail.size() - record::kMaxOutput);
  }
  void End(const Exit& end) {
    const std::lock_guard lock(mutex);
    exit = end;
    changed.notify_all();
  }
  void Cancelled() {
    const std::lock_guard lock(mutex);
    cancelled = true;
    changed.notify_all();
  }
  // Why the wait is over: nothing if the command succeeded.
  std::optional<record::Failure> Wait(Nanos timeout) {
    std::unique_lock lock(mutex);
    const bool over = changed.wait_for(lock, std::chrono::nanoseconds(timeout),
                                       [this] { return exit || cancelled; });
    if (!over) return record::Failure{"timeout", "still running after " + FormatDuration(timeout)};
    if (!exit) return record::Failure{"cancelled", "the run ended before the command"};
    if (exit->signalled || exit->code != 0) return record::Failure{"process", exit->ToString()};
    return std::nullopt;
  }
};

// Starts the command and waits for it; stops it if it may not go on.
record::RequestDone RunCommand(const Context& context) {
  Watch watch;
  record::RequestDone done;
  done.t_sched = done.t_send = Now();
  SubprocessOptions options;
  options.argv = context.app.command;
  options.environment = context.environment;
  options.directory = context.directory;
  options.on_line = [&watch](std::string_view line) { watch.AddLine(line); };
  options.on_exit = [&watch](const Exit& exit) { watch.End(exit); };
  auto process = Subprocess::Start(std::move(options));
  if (!process) return FailedRequest(done.t_sched, "process", process.error().message);
  const auto token = context.cancel.Subscribe([&watch] { watch.Cancelled(); });
  done.failure = watch.Wait(context.app.timeout);
  context.cancel.Unsubscribe(token);
  process->reset();  // stops what still runs; no callback comes after this
  done.t_end = Now();
  done.output = watch.tail;
  return done;
}

class Exec final : public App {
 public:
  Result<> Prepare(const Context& context) override {
    if (!context.app.command.empty()) return {};
    return InputError("{}: command: is empty", context.app.mark.ToString());
  }

  Result<> Run(const Context& context) override {
    for (int i = 0; i < context.task.requests && !context.cancel.IsTriggered(); ++i) {
      const std::uint64_t id = context.sink.Issue("exec", Now());
      context.sink.Finish(id, RunCommand(context));
    }
    return {};
  }
};

}  // namespace

extern const Descriptor kExec;
const Descriptor kExec = {scenario::AppType::kExec, "runs a command of the user's",
                          [] { return Result<>(); },
                          [] { return std::unique_ptr<App>(std::make_unique<Exec>()); }};

}  // namespace cbench::app
