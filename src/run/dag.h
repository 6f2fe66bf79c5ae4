// Executes a plan: every task that waits for nothing starts at once, each on its own thread; the
// end of a task lowers its dependants' counters and starts those that reach zero. Nothing polls.
#pragma once

#include <functional>

#include "base/cancel.h"
#include "run/plan.h"

namespace cbench::run {

enum class TaskState { kFinished, kFailed, kSkipped, kCancelled };
std::string_view Name(TaskState state);

// Runs one task to its end. Called on the task's own thread, at most once a task.
using TaskBody = std::function<TaskState(std::size_t task)>;
// Told of tasks that never ran: skipped because one they wait for failed, or cancelled before
// their turn. Called on the thread that found out, one call at a time.
using NeverRan = std::function<void(std::size_t task, TaskState state)>;

// Returns when every task has ended, with the state of each. After `cancel`, no task is started.
std::vector<TaskState> RunDag(const Plan& plan, const Cancel& cancel, const TaskBody& body,
                              const NeverRan& never_ran);

}  // namespace cbench::run
