// Ctrl-C that is safe: SIGINT, SIGTERM and SIGHUP become a Cancel, on which the run stops its
// requests, its engines and closes the record. A second one ends the program at once.
//
// Ctrl-Z that is noticed: engines are in groups of their own and go on while this process is
// stopped, so what it measures then means nothing. stops() says how often it was, by Ctrl-Z or
// otherwise; Ctrl-Z says so at once.
//
// Make one before any other thread exists: it blocks these signals for all later threads, and
// only its own thread takes them, from a signalfd.
#pragma once

#include <atomic>
#include <thread>

#include "base/cancel.h"

namespace cbench::cli {

class Interrupt {
 public:
  explicit Interrupt(Cancel& cancel);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  int stops() const { return stops_; }  // any thread

 private:
  void Watch();
  void Act(int signal);

  Cancel& cancel_;
  bool asked_ = false;  // to stop; the thread's own
  std::atomic<int> stops_ = 0;
  int signals_ = -1, quit_ = -1;  // signalfd; eventfd that ends the thread
  std::thread thread_;
};

}  // namespace cbench::cli
