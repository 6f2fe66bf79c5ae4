// Kernel lanes: a process puts its own back steps aside, or those of others that were there first.
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "share/gate/desk.h"
#include "share/gate/gate.h"
#include "share/gate/lock.h"

namespace cbench::share {
namespace {

// Numbers of threads are used again: this one still belongs to that process.
bool IsThreadOf(pid_t pid, pid_t thread) { return tgkill(pid, thread, 0) == 0; }

}  // namespace

bool Gate::StartAside(int slot) {
  const GateLock lock(*memory_, *desk_);
  memory_->slots[At(slot)].thread = gettid();
  return desk_->StartAside(slot, Now());
}

void Gate::PushAside(const Push& push) {
  const GateLock lock(*memory_, *desk_);
  desk_->PushAside([&push](pid_t pid, pid_t thread) {
    if (IsThreadOf(pid, thread)) push(thread, Lane::kBack);
  });
}

bool Gate::Aside(int slot) const {
  return std::atomic_ref(memory_->slots[At(slot)].aside).load(std::memory_order_acquire) != 0;
}

void Gate::AddWorkers(std::span<const pid_t> workers) {
  const GateLock lock(*memory_, *desk_);
  Workers& mine = memory_->workers[At(client_)];
  for (const pid_t worker : workers) {
    const bool there = std::count(mine.threads.begin(), mine.threads.begin() + mine.count, worker);
    if (!there && mine.count < kMaxWorkers) mine.threads[At(mine.count++)] = worker;
  }
}

}  // namespace cbench::share
