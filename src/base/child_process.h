// One child: forking it and its output, seen from the keeper thread. See subprocess.h.
#pragma once

#include <condition_variable>
#include <mutex>

#include "base/fd.h"
#include "base/subprocess.h"

namespace cbench {

class ChildProcess {
 public:
  explicit ChildProcess(SubprocessOptions options) : options_(std::move(options)) {}

  // Keeper thread only.
  Result<> Fork();
  const Fd& pidfd() const { return pidfd_; }
  const Fd& out() const { return out_; }
  const Fd& err() const { return err_; }
  void ReadOut();  // what has arrived; closes the pipe at its end
  void ReadErr();
  void Reap();  // the warden has ended, and with it all the rest: reads the rest of the output

  // Any thread.
  pid_t pid() const { return pid_; }
  std::optional<Exit> exit() const;
  bool WaitUntil(Nanos t) const;
  void Signal(int signal);  // to the group; nothing once reaped

 private:
  Result<> Begin(const Fd& report);
  void Log(std::string_view bytes);
  void SplitLines(std::string_view bytes);

  const SubprocessOptions options_;
  pid_t pid_ = 0, warden_ = 0;
  Fd pidfd_;  // of the warden
  Fd in_, out_, err_, log_;
  std::size_t logged_ = 0;
  std::string text_;  // unfinished line of stdout

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Fd line_;                   // to the warden; guarded by mutex_ once it runs
  std::optional<Exit> exit_;  // guarded by mutex_; set when reaped
  bool finished_ = false;     // guarded by mutex_; on_exit has returned
};

}  // namespace cbench
