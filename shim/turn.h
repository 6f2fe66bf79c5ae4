// This process's turn at the gate, for as long as a graph takes.
#pragma once

#include "shim/graph.h"

namespace cbench::shim {

struct Membership;

// Any thread; one at a time in each. Blocks until the gate grants the device; without a gate, or
// with one that can't be joined, at once. Throws nothing.
class Turn {
 public:
  Turn(void* graph, void* caller) noexcept;
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  bool arranged() const { return membership_ != nullptr; }  // the gate was asked

 private:
  Membership* membership_ = nullptr;
};

}  // namespace cbench::shim
