// Ctrl-C that is safe: SIGINT, SIGTERM and SIGHUP become a Cancel, on which the run stops its
// requests, its engines and closes the record. A second one ends the program at once.
//
// Make one before any other thread exists: it blocks these signals for all later threads, and
// only its own thread takes them, from a signalfd.
#pragma once

#include <thread>

#include "base/cancel.h"

namespace cbench::cli {

class Interrupt {
 public:
  explicit Interrupt(Cancel& cancel);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  void Watch();

  Cancel& cancel_;
  int signals_ = -1, quit_ = -1;  // signalfd; eventfd that ends the thread
  std::thread thread_;
};

}  // namespace cbench::cli
