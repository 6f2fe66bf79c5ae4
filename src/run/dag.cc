// Threads: RunDag's caller only waits. Each task has a thread, which, once its body is over,
// settles the counters under mutex_ and starts the threads of the tasks it set free. mutex_
// guards every member; bodies run without it.
#include "run/dag.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace cbench::run {
namespace {

class Dag {
 public:
  Dag(const Plan& plan, const Cancel& cancel, const TaskBody& body, const NeverRan& never_ran)
      : plan_(plan),
        cancel_(cancel),
        body_(body),
        never_ran_(never_ran),
        states_(plan.size()),
        threads_(plan.size()),
        blocked_(plan.size(), false) {
    for (const auto& task : plan) waiting_.push_back(task.waits_for);
  }

  std::vector<TaskState> Run() {
    {
      std::unique_lock lock(mutex_);
      for (std::size_t i = 0; i < plan_.size(); ++i) {
        if (plan_[i].waits_for == 0) StartOrCancel(i);
      }
      all_ended_.wait(lock, [this] { return ended_ == plan_.size(); });
    }
    threads_.clear();  // joins
    return states_;
  }

 private:
  void StartOrCancel(std::size_t i) {
    if (cancel_.IsTriggered()) return EndUnrun(i, TaskState::kCancelled);
    if (blocked_[i]) return EndUnrun(i, TaskState::kSkipped);
    threads_[i] = std::jthread([this, i] {
      const TaskState state = body_(i);
      const std::lock_guard lock(mutex_);
      End(i, state);
    });
  }

  void EndUnrun(std::size_t i, TaskState state) {
    never_ran_(i, state);
    End(i, state);
  }

  // A task that did not finish blocks those behind it; they still count down, so that each is
  // told its fate once, after the last task it waits for.
  void End(std::size_t i, TaskState state) {
    states_[i] = state;
    ++ended_;
    for (const std::size_t next : plan_[i].dependants) {
      if (state != TaskState::kFinished) blocked_[next] = true;
      if (--waiting_[next] == 0) StartOrCancel(next);
    }
    if (ended_ == plan_.size()) all_ended_.notify_one();
  }

  const Plan& plan_;
  const Cancel& cancel_;
  const TaskBody& body_;
  const NeverRan& never_ran_;

  std::mutex mutex_;
  std::condition_variable all_ended_;
  std::vector<TaskState> states_;
  std::vector<std::jthread> threads_;
  std::vector<bool> blocked_;
  std::vector<std::size_t> waiting_;
  std::size_t ended_ = 0;
};

}  // namespace

std::string_view Name(TaskState state) {
  switch (state) {
    case TaskState::kFinished:
      return "finished";
    case TaskState::kFailed:
      return "failed";
    case TaskState::kSkipped:
      return "skipped";
    case TaskState::kCancelled:
      return "cancelled";
  }
  return "";
}

std::vector<TaskState> RunDag(const Plan& plan, const Cancel& cancel, const TaskBody& body,
                              const NeverRan& never_ran) {
  return Dag(plan, cancel, body, never_ran).Run();
}

}  // namespace cbench::run
