// Where one task's requests go: ids are given, lines are written, people are told. One object a
// task; thread-safe, because live captions finish several segments at once.
#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "app/app.h"
#include "record/writer.h"
#include "run/observer.h"

namespace cbench::run {

class TaskSink final : public app::Sink {
 public:
  TaskSink(std::string task, std::atomic<std::uint64_t>& next_id, record::Writer* writer,
           Observer& observer)
      : task_(std::move(task)), next_id_(next_id), writer_(writer), observer_(observer) {}

  std::uint64_t Issue(const std::string& kind, Nanos t_sched) override;
  void Finish(std::uint64_t id, record::RequestDone done) override;

 private:
  const std::string task_;
  std::atomic<std::uint64_t>& next_id_;  // one counter a record
  record::Writer* writer_;               // null while the task is only being prepared
  Observer& observer_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::string> open_;  // id -> kind; guarded by mutex_
  int ended_ = 0, failed_ = 0;                 // guarded by mutex_
};

}  // namespace cbench::run
