// Kernel lanes: on a CPU the kernel already takes the cores from one thread and gives them to
// another within milliseconds; it only has to be told whose turn it is. Threads that compute a
// back-lane step run under SCHED_IDLE, which yields to any front-lane thread at once, and under
// SCHED_OTHER else. A switch is one system call a thread (about half a microsecond), made at the
// step's borders and only for threads whose lane changes.
//
// The thread that asks the gate goes back to the front lane after each step: it must not be pushed
// aside while it holds the gate's lock, or a front-lane step would wait for a back-lane thread.
//
// Going back from SCHED_IDLE needs RLIMIT_NICE of 20 or CAP_SYS_NICE (sched(7)); a plain user on
// most systems has neither, so ask Available first.
#pragma once

#include <sys/types.h>

#include <functional>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "share/app_class.h"

namespace cbench::share {

// Gives the thread the kernel's scheduling class of that lane. False: the kernel refused.
bool SetKernelLane(pid_t thread, Lane lane);
// The same if it is a thread of this process: numbers of threads that have ended are used again.
bool SetOwnKernelLane(pid_t thread, Lane lane);

// This process's threads of that name (15 characters at most). Threads get the name of the thread
// that starts them.
std::vector<pid_t> ThreadsNamed(std::string_view name);

// While it lives, threads that this thread starts are called `name`.
class NameForNewThreads {
 public:
  explicit NameForNewThreads(const char* name);
  ~NameForNewThreads();
  NameForNewThreads(const NameForNewThreads&) = delete;
  NameForNewThreads& operator=(const NameForNewThreads&) = delete;

 private:
  char before_[16] = {};
};

// Any thread; mutex_ guards all.
class CpuLanes {
 public:
  using Setter = std::function<bool(pid_t thread, Lane lane)>;
  explicit CpuLanes(Setter set = SetOwnKernelLane) : set_(std::move(set)) {}

  // Whether threads may go to the back lane and come back. Tried on a thread of its own.
  static Result<> Available();

  // Threads that compute every step, whichever thread calls Enter.
  void AddWorkers(std::span<const pid_t> workers);

  // Before a step: the workers and the calling thread change to the lane. True if any did.
  bool Enter(Lane lane);
  // Another process has put the calling thread and the workers into the back lane.
  void NotePushed();
  // After it: the calling thread is in the front lane again.
  void Leave();

 private:
  const Setter set_;
  std::mutex mutex_;
  std::vector<pid_t> workers_;
  Lane workers_lane_ = Lane::kFront;
};

}  // namespace cbench::share
