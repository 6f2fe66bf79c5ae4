#include "share/gate/gate.h"

#include <unistd.h>

#include <algorithm>

#include "share/gate/futex.h"
#include "share/gate/lock.h"
#include "share/gate/watcher.h"

namespace cbench::share {

Gate::Gate(GateMemory memory, std::unique_ptr<Policy> policy, GateOptions options)
    : memory_(std::move(memory)),
      policy_(std::move(policy)),
      options_(std::move(options)),
      desk_(std::make_unique<GateDesk>(*memory_, *policy_)) {}

// What the memory says counts, not what we would have made.
Result<std::unique_ptr<Gate>> Gate::Make(GateMemory memory) {
  GateOptions options{.policy = memory->policy,
                      .params = memory->params,
                      .lanes = memory->lanes,
                      .kernel_lanes = memory->kernel_lanes};
  CBENCH_ASSIGN(auto policy, MakePolicy(options.policy, options.params));
  return std::unique_ptr<Gate>(new Gate(std::move(memory), std::move(policy), std::move(options)));
}

Result<std::unique_ptr<Gate>> Gate::MakeUser(GateMemory memory) {
  CBENCH_ASSIGN(auto gate, Make(std::move(memory)));
  CBENCH_TRY(gate->Register());
  return gate;
}

Result<std::unique_ptr<Gate>> Gate::Create(const GateOptions& options) {
  CBENCH_TRY(MakePolicy(options.policy, options.params));
  CBENCH_ASSIGN(auto memory, GateMemory::Make(options));
  CBENCH_ASSIGN(auto gate, MakeUser(std::move(memory)));
  gate->maker_ = true;
  gate->watcher_ = std::make_unique<GateWatcher>(*gate);
  return gate;
}

Result<std::unique_ptr<Gate>> Gate::Join(const std::string& path) {
  CBENCH_ASSIGN(auto memory, GateMemory::Open(path));
  return MakeUser(std::move(memory));
}

Result<std::unique_ptr<Gate>> Gate::Look(const std::string& path) {
  CBENCH_ASSIGN(auto memory, GateMemory::Open(path));
  return Make(std::move(memory));
}

Result<std::unique_ptr<Gate>> Gate::JoinNamed(const std::string& path, const GateOptions& options) {
  CBENCH_TRY(MakePolicy(options.policy, options.params));
  for (int attempt = 0; attempt < 8; ++attempt) {
    CBENCH_ASSIGN(auto memory, GateMemory::MakeNamed(path, options));
    CBENCH_ASSIGN(auto gate, MakeUser(std::move(memory)));
    if (gate->HasName()) return gate;  // else its last user was just removing it
  }
  return Failure("the gate {} comes and goes; try again", path);
}

bool Gate::HasName() {
  const GateLock lock(*memory_, *desk_);
  return memory_.HasName();
}

Result<> Gate::Register() {
  const GateLock lock(*memory_, *desk_);
  desk_->Inspect(Now());  // a gate with a name may be full of users long dead
  client_ = desk_->AddClient(ReadProcessId(getpid()));
  if (client_ < 0) return Failure("{} processes use the gate {}", kMaxClients, path());
  drained_ = memory_->holds;
  return {};
}

Gate::~Gate() {
  watcher_.reset();
  SlotSet wake = 0;
  {
    const GateLock lock(*memory_, *desk_);
    if (client_ >= 0) desk_->RemoveClient(client_, Now());
    wake = desk_->Inspect(Now());
    if (maker_) wake |= desk_->Open();
    // Under the lock, and only while this is the file of that name, not one that came after it.
    if (memory_->named && !desk_->HasClients() && memory_.HasName()) memory_.RemoveName();
    wake |= desk_->Dispatch(Now());
  }
  WakeSlots(*memory_, wake);
}

void Gate::Introduce(const StepInfo& who, bool keeper) {
  const GateLock lock(*memory_, *desk_);
  desk_->Introduce(client_, who, keeper);
}

int Gate::Acquire(const StepInfo& step) {
  if (open()) return kUnarranged;
  int slot = kUnarranged;
  SlotSet wake = 0;
  {
    const GateLock lock(*memory_, *desk_);
    const Nanos now = Now();
    slot = desk_->Claim(step, client_, now);
    if (slot >= 0) wake = desk_->Dispatch(now, slot);
  }
  if (slot < 0) return kUnarranged;
  if (const SlotSet others = wake & ~Bit(slot)) WakeSlots(*memory_, others);
  return Wait(slot);
}

int Gate::Wait(int slot) {
  std::uint32_t& word = memory_->slots[At(slot)].word;
  const auto granted = [&word] {
    return (std::atomic_ref(word).load(std::memory_order_acquire) & kGranted) != 0;
  };
  Nanos alarm = 0;
  while (!granted()) {
    std::uint32_t seen = 0;
    if (!Stay(slot, alarm, seen)) return kUnarranged;
    if ((seen & kGranted) == 0) FutexWait(word, seen, alarm);
  }
  return slot;
}

// Before a waiting step sleeps (again): does what its alarm was for and sets the next. False: the
// gate is open, the step waits no more.
bool Gate::Stay(int slot, Nanos& alarm, std::uint32_t& seen) {
  SlotSet wake = 0;
  const bool stays = [&] {
    const GateLock lock(*memory_, *desk_);
    const Nanos now = Now();
    if (alarm != 0 && now >= alarm) wake = desk_->InspectIfDue(now) | desk_->Dispatch(now, slot);
    if (memory_->slots[At(slot)].state == SlotState::kWaiting && open()) {
      desk_->Abandon(slot);
      return false;
    }
    alarm = desk_->SetAlarm(slot, now);
    seen = memory_->slots[At(slot)].word;
    return true;
  }();
  WakeSlots(*memory_, wake & ~Bit(slot));
  return stays;
}

bool Gate::Release(int slot, bool switched) {
  if (slot < 0) return false;
  SlotSet wake = 0;
  bool aside = false;
  {
    const GateLock lock(*memory_, *desk_);
    const Nanos now = Now();
    aside = Aside(slot);
    desk_->Release(slot, now, switched);
    wake = desk_->Dispatch(now);
  }
  WakeSlots(*memory_, wake);
  return aside;
}

// Copied in handfuls, so that nobody waits long for the lock.
std::uint64_t Gate::Drain(const std::function<void(const Hold&)>& visit) {
  constexpr std::uint64_t kHandful = 32;
  std::array<Hold, kHandful> copies;
  std::uint64_t lost = 0;
  for (;;) {
    std::uint64_t count = 0;
    {
      const GateLock lock(*memory_, *desk_);
      if (const std::uint64_t kept = std::min(memory_->holds, kRingSize);
          drained_ < memory_->holds - kept) {
        lost += memory_->holds - kept - drained_;
        drained_ = memory_->holds - kept;
      }
      for (; count < kHandful && drained_ < memory_->holds; ++count)
        copies[count] = memory_->ring[drained_++ % kRingSize];
    }
    if (count == 0) return lost;
    for (std::uint64_t i = 0; i < count; ++i) visit(copies[i]);
  }
}

void Gate::Rewind() { drained_ = 0; }

GateStatus Gate::Status() {
  const GateLock lock(*memory_, *desk_);
  return MakeStatus(*memory_, Now());
}

bool Gate::open() const {
  return std::atomic_ref(memory_->open).load(std::memory_order_acquire) != 0;
}

void Gate::Open() {
  SlotSet wake = 0;
  {
    const GateLock lock(*memory_, *desk_);
    wake = desk_->Open();
  }
  WakeSlots(*memory_, wake);
}

std::array<ProcessId, kMaxClients> Gate::Clients() {
  const GateLock lock(*memory_, *desk_);
  std::array<ProcessId, kMaxClients> processes;
  std::transform(memory_->clients.begin(), memory_->clients.end(), processes.begin(),
                 [](const Client& client) { return client.process; });
  return processes;
}

void Gate::Inspect() {
  SlotSet wake = 0;
  {
    const GateLock lock(*memory_, *desk_);
    const Nanos now = Now();
    wake = desk_->Inspect(now) | desk_->Dispatch(now);
  }
  WakeSlots(*memory_, wake);
}

}  // namespace cbench::share
