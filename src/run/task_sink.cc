#include "run/task_sink.h"

namespace cbench::run {

std::uint64_t TaskSink::Issue(const std::string& kind, Nanos t_sched) {
  const std::uint64_t id = next_id_.fetch_add(1);
  {
    const std::lock_guard lock(mutex_);
    open_[id] = kind;
  }
  writer_->Append({Now(), record::RequestIssued{id, task_, kind, t_sched}});
  return id;
}

void TaskSink::Finish(std::uint64_t id, record::RequestDone done) {
  done.id = id;
  done.task = task_;
  int ended = 0, failed = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto open = open_.extract(id);
    if (open.empty()) return;  // finished before; the first word counts
    done.kind = open.mapped();
    ended = ++ended_;
    failed = failed_ += done.failure ? 1 : 0;
  }
  writer_->Append({Now(), std::move(done)});
  observer_.OnRequest(task_, ended, failed);
}

}  // namespace cbench::run
