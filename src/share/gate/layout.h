// What processes share: one object of fixed size, made by one and mapped by all. Everything in it
// is plain data. Whoever maps it checks magic, version and size first, so that two builds that
// would read it differently never do.
//
// Who may write what: all is guarded by `mutex`, but
//   open          is set once, read without the lock (atomic)
//   Slot::word    is written under the lock, read and slept on without it (atomic)
//   Slot::aside   is written under the lock, read without it (atomic)
//   what stands above `mutex` never changes after the object is made.
//
// A process may be killed at any instruction, so the mutex is robust and each change is ordered
// such that `Slot::state` alone tells what a slot is: it is written last when a slot is taken, and
// `busy` is only an index over it, made anew after a death.
#pragma once

#include <pthread.h>

#include <array>
#include <cstdint>
#include <type_traits>

#include "share/cost_model.h"
#include "share/gate/process_id.h"
#include "share/policy.h"

namespace cbench::share {

constexpr std::uint64_t kGateMagic = 0x65746167'68636e62;  // "bnchgate"
constexpr std::uint32_t kGateVersion = 3;  // raise it when a struct of this file changes
constexpr int kMaxClients = 64;            // processes that ask for steps
constexpr int kMaxWorkers = 64;            // of a process that are put aside; more stay in front
constexpr std::uint64_t kRingSize = 4096;  // holds kept until somebody reads them

enum class SlotState : std::uint32_t { kFree, kWaiting, kRunning };

// A step that waits or runs.
struct Slot {
  SlotState state = SlotState::kFree;
  std::uint32_t word = 0;  // bit 0: granted; the rest counts nudges to look again
  std::int32_t client = 0;
  bool known = false;      // its cost is predicted from steps like it
  bool disturbed = false;  // another step had the device meanwhile, and could slow it
  bool overrun = false;    // it has had the device far longer than predicted
  Nanos granted = 0;
  Nanos alarm = 0;          // when its thread wakes by itself; 0: it does not sleep yet
  pid_t thread = 0;         // that asked, and computes
  std::uint32_t aside = 0;  // 1: its threads are in the kernel's back lane
  StepView step;
};
constexpr std::uint32_t kGranted = 1, kNudge = 2;

// The threads of a process that compute its steps beside those that ask.
struct Workers {
  std::int32_t count = 0;
  std::array<pid_t, kMaxWorkers> threads;
};

// A process that uses the gate.
struct Client {
  ProcessId process;          // pid 0: a free place
  std::int32_t account = -1;  // whose steps it asks for, if it has introduced itself
  bool keeper = false;        // it asks for none itself: it has started those that do

  bool operator==(const Client&) const = default;
};

// One step's time with the device, for the record.
struct Hold {
  char app[sizeof Account::name] = {};
  AppClass app_class = AppClass::kLatency;
  StepKind kind = StepKind::kDecode;
  Reason why = Reason::kNone;
  bool known = false;      // `predicted` comes from steps like it
  bool disturbed = false;  // others had the device meanwhile
  bool overrun = false;    // far longer than predicted
  bool reclaimed = false;  // its process died; `released` is when that was seen
  bool switched = false;   // the kernel's scheduling class was changed for it
  std::int32_t pid = 0, slot = 0, size = 0, context = 0;
  std::uint64_t request = 0;
  Nanos asked = 0, granted = 0, released = 0;
  Nanos predicted = 0, predicted_q95 = 0, charged = 0;
};

struct GateLayout {
  std::uint64_t magic = kGateMagic;
  std::uint32_t version = kGateVersion;
  std::uint32_t size = 0;  // of this struct
  char policy[16] = {};
  PolicyParams params;
  Lanes lanes;
  bool kernel_lanes = false;  // threads change their scheduling class with the lane
  bool named = false;         // a file with a name: the last user removes it
  ProcessId owner;            // when it dies everything runs free; pid 0: there is none

  pthread_mutex_t mutex;
  std::uint32_t open = 0;  // 1: nothing is arranged any more

  std::uint64_t busy = 0;            // bit i: slots[i] is not free
  Nanos look_again = 0;              // the policy wants to be asked then; 0: no
  Nanos inspected = 0;               // when somebody last looked for the dead
  std::uint64_t deaths = 0;          // processes that died with a slot or the mutex
  std::uint64_t overruns = 0;        // steps far longer than predicted
  std::uint64_t turned_away = 0;     // steps that found no free slot and ran unarranged
  std::uint64_t client_changes = 0;  // processes come and gone
  std::array<Client, kMaxClients> clients;
  std::array<Workers, kMaxClients> workers;  // of the clients
  std::array<Slot, kMaxSteps> slots;
  std::array<Account, kMaxAccounts> accounts;
  CostModel costs;
  std::uint64_t holds = 0;  // written so far; the last kRingSize are in the ring
  std::array<Hold, kRingSize> ring;
};
static_assert(kMaxSteps == 64, "GateLayout::busy has a bit a slot");
static_assert(std::is_trivially_copyable_v<Slot> && std::is_trivially_copyable_v<Hold>);

}  // namespace cbench::share
