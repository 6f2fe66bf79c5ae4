// Membership begins with the first graph, not with the program: a shell that starts an engine loads
// this library too and must not become a user of the gate.
//
// Threads: any may compute. `current` is the membership of this process; it is made under `joining`
// and never freed, so a thread that has loaded it may use it. At the program's end the gate is left
// if no thread is in a turn; a thread that comes later, or is in one, finds that or is left to the
// gate's own care for the dead. fork: the child starts anew, its parent's membership stays its
// parent's.
#include "shim/turn.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>

#include "share/gate/gate.h"
#include "share/gate_hook.h"
#include "share/program.h"
#include "shim/threads.h"

namespace cbench::shim {

struct Membership {
  share::StepHook* hook = nullptr;  // null: everything runs free
  share::StepInfo step = {};
  bool moves_threads = false;  // the kernel's scheduling class follows the lane
  NewThreads threads = {};
  std::atomic<int> turns = 0;
  unsigned generation = 0;
};

namespace {

constinit std::atomic<Membership*> current{nullptr};
constinit std::mutex joining;
constinit std::atomic<unsigned> generation{0};  // forks between the first process and this one

// Our own engines ask by themselves; see gate_hook.h.
bool AsksByItself() {
  const char* hooked = std::getenv(share::kHookedVariable);
  return hooked != nullptr && hooked == std::to_string(getpid());
}

Result<> Join(Membership& membership, const char* path) {
  CBENCH_ASSIGN(share::Program program, share::ProgramFromEnvironment());
  CBENCH_ASSIGN(auto gate, share::Gate::Join(path));
  membership.step = share::StepOf(program);
  membership.step.kind = share::StepKind::kGraph;
  const bool back = share::LaneOf(program.app_class) == share::Lane::kBack;
  membership.moves_threads = back && gate->options().kernel_lanes;
  membership.hook = share::MakeGateHook(std::move(gate), std::move(program)).release();
  return {};
}

Membership* Make() {
  auto* membership = new Membership;
  membership->generation = generation;
  const char* path = std::getenv(share::kGateVariable);
  if (path == nullptr || *path == '\0' || AsksByItself()) return membership;
  if (const auto joined = Join(*membership, path); !joined)
    std::fputs(fmt::format("gate: graphs run free: {}\n", joined.error().message).c_str(), stderr);
  return membership;
}

Membership* Current() {
  if (Membership* known = current.load(std::memory_order_acquire)) return known;
  const std::lock_guard lock(joining);
  if (current.load() == nullptr) current = Make();
  return current;
}

// The membership with a turn counted, or null if everything runs free.
Membership* Enter() try {
  for (;;) {
    Membership* membership = Current();
    if (membership->hook == nullptr) return nullptr;
    ++membership->turns;
    if (current == membership) return membership;
    --membership->turns;  // the program is ending
  }
} catch (...) {  // no memory, or no way to look at the gate
  return nullptr;
}

void StartAnew() {
  new (&joining) std::mutex;
  current = nullptr;
  ++generation;
}

__attribute__((constructor)) void NoticeForks() { pthread_atfork(nullptr, nullptr, StartAnew); }

__attribute__((destructor)) void LeaveGate() {
  Membership* membership = current;
  if (membership == nullptr || membership->hook == nullptr) return;
  current = new Membership;  // everything runs free
  if (membership->turns == 0) delete membership->hook;
}

share::StepInfo StepOf(const Membership& membership, void* graph, void* caller) {
  const GraphShape shape = ShapeOf(graph, caller);
  share::StepInfo step = membership.step;
  step.size = shape.size;
  step.context = shape.nodes;
  return step;
}

}  // namespace

Turn::Turn(void* graph, void* caller) noexcept {
  const int error = errno;
  Membership* membership = Enter();
  if (membership == nullptr) return;
  try {
    if (membership->moves_threads) membership->threads.TellHook(*membership->hook);
    membership->hook->Begin(StepOf(*membership, graph, caller));
    membership_ = membership;
  } catch (...) {  // no memory: the graph runs free
    --membership->turns;
  }
  errno = error;
}

Turn::~Turn() {
  if (membership_ == nullptr || membership_->generation != generation) return;
  const int error = errno;
  membership_->hook->End(membership_->step);
  --membership_->turns;
  errno = error;
}

}  // namespace cbench::shim
