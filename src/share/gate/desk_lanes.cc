// Which threads the kernel pushes aside, where it can (actuators/cpu.h).
#include <algorithm>

#include "share/gate/desk.h"

namespace cbench::share {
namespace {

// Between two steps of an answer, its tokens are on their way and others must not be in theirs.
constexpr Nanos kStillAbout = 100 * kMillisecond;
// An announced request that is later than this will not come.
constexpr Nanos kTooLate = kSecond;

bool IsExpected(const Account& account, Nanos now, Nanos until) {
  return account.next_request > now - kTooLate && account.next_request < until;
}

}  // namespace

bool GateDesk::FrontIsAbout(const StepView& step, Nanos now) const {
  const Nanos until = now + step.cost_q95 + kStillAbout;
  return std::any_of(gate_.accounts.begin(), gate_.accounts.end(), [&](const Account& account) {
    if (account.Name().empty() || LaneOf(account.app_class) != Lane::kFront) return false;
    return HasSteps(static_cast<int>(&account - gate_.accounts.data())) ||
           now - account.last_active < kStillAbout || IsExpected(account, now, until);
  });
}

bool GateDesk::StartAside(int index, Nanos now) {
  Slot& slot = gate_.slots[At(index)];
  const bool aside = !slot.known || FrontIsAbout(slot.step, now);
  std::atomic_ref(slot.aside).store(aside ? 1 : 0, std::memory_order_release);
  return aside;
}

void GateDesk::PushAside(const std::function<void(pid_t pid, pid_t thread)>& visit) {
  ForEach(gate_, SlotState::kRunning, [&](int, Slot& slot) {
    if (slot.aside != 0 || slot.thread == 0 || LaneOf(ClassOf(slot)) == Lane::kFront) return;
    std::atomic_ref(slot.aside).store(1, std::memory_order_release);
    const pid_t pid = gate_.clients[At(slot.client)].process.pid;
    const Workers& workers = gate_.workers[At(slot.client)];
    visit(pid, slot.thread);
    for (int i = 0; i < workers.count; ++i) visit(pid, workers.threads[At(i)]);
  });
}

}  // namespace cbench::share
