// Small things to do with the slots of a locked gate.
#pragma once

#include <atomic>
#include <bit>

#include "share/gate/layout.h"

namespace cbench::share {

using SlotSet = std::uint64_t;  // bit i: slot i

constexpr Nanos kCheckPeriod = 100 * kMillisecond;  // how often somebody looks for the dead

constexpr SlotSet Bit(int slot) { return SlotSet{1} << slot; }
constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }

// The order in which others find the changes matters if we are killed between them.
inline void SetState(Slot& slot, SlotState state) {
  std::atomic_ref(slot.state).store(state, std::memory_order_release);
}
inline void SetWord(Slot& slot, std::uint32_t word) {
  std::atomic_ref(slot.word).store(word, std::memory_order_release);
}

// visit(index, slot) for each slot in that state.
template <typename F>
void ForEach(GateLayout& gate, SlotState state, F visit) {
  for (SlotSet left = gate.busy; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    if (gate.slots[At(i)].state == state) visit(i, gate.slots[At(i)]);
  }
}

}  // namespace cbench::share
