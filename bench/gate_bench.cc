// What the step gate costs: a step that nobody else wants, and the hand-over of the device from one
// process to another that waits for it. Beside it, in turns within the same run, what it is built
// on: a process-shared mutex alone, and the plainest hand-over, by a mutex and a condition variable
// in shared memory.
//
// A hand-over is measured from just before the holder gives up the device to when the other process
// has it. The holder first waits until the other has asked, and a little longer, so that it sleeps.
#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

#include "base/clock.h"
#include "share/gate/gate.h"

namespace cbench {
namespace {

constexpr int kRounds = 10, kHandOvers = 300;  // a round, each process
constexpr int kSteps = 200'000;
constexpr Nanos kLetItSleep = 50 * kMicrosecond;

struct Shared {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int turn = 0;                    // guarded by mutex
  std::atomic<int> asked{0};       // times that anybody has asked for the device
  std::atomic<Nanos> given{0};     // when the holder began to give it up; 0: never yet
  std::atomic<int> count{0};       // of samples
  std::atomic<int> turns{0};       // times that somebody got it
  std::atomic<bool> alone{false};  // one process is through
  Nanos samples[2 * kRounds * kHandOvers] = {};
};

Shared& MakeShared() {
  void* page =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& shared = *new (page) Shared();
  pthread_mutexattr_t mutex;
  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared.mutex, &mutex);
  pthread_condattr_t condition;
  pthread_condattr_init(&condition);
  pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&shared.changed, &condition);
  return shared;
}

struct GateBaton {
  share::Gate& gate;
  int slot = 0;
  void Take() { slot = gate.Acquire({.size = 1, .app = "bench"}); }
  void Give() { gate.Release(slot); }
};

struct ConditionBaton {
  Shared& shared;
  int me;
  void Take() {
    pthread_mutex_lock(&shared.mutex);
    while (shared.turn != me) pthread_cond_wait(&shared.changed, &shared.mutex);
    pthread_mutex_unlock(&shared.mutex);
  }
  void Give() {
    pthread_mutex_lock(&shared.mutex);
    shared.turn = 1 - me;
    pthread_mutex_unlock(&shared.mutex);
    pthread_cond_signal(&shared.changed);
  }
};

// Both processes run this. Each time, the holder waits for the other to ask, then hands over.
template <typename Baton>
void HandOver(Shared& shared, Baton baton) {
  for (int i = 0; i < kHandOvers; ++i) {
    ++shared.asked;
    baton.Take();
    const Nanos taken = Now(), given = shared.given;
    if (given != 0) shared.samples[shared.count++] = taken - given;
    const int turn = ++shared.turns;
    while (shared.asked <= turn && turn < 2 * kHandOvers - 1 && !shared.alone) {
    }
    for (const Nanos until = Now() + kLetItSleep; Now() < until;) {
    }
    shared.given = Now();
    baton.Give();
  }
  shared.alone = true;
}

template <typename MakeBaton>
void Round(Shared& shared, std::vector<Nanos>& all, MakeBaton make) {
  shared.asked = shared.count = shared.turns = 0;
  shared.alone = false;
  shared.given = 0;
  const pid_t child = fork();
  if (child == 0) {
    HandOver(shared, make(1));
    _exit(0);
  }
  HandOver(shared, make(0));
  waitpid(child, nullptr, 0);
  all.insert(all.end(), shared.samples, shared.samples + shared.count);
}

double Quantile(std::vector<Nanos>& all, double q) {
  std::sort(all.begin(), all.end());
  const auto at = static_cast<std::size_t>(q * static_cast<double>(all.size() - 1));
  return static_cast<double>(all[at]) / 1e3;
}

template <typename Step>
double MicrosecondsEach(Step step) {
  const Nanos start = Now();
  for (int i = 0; i < kSteps; ++i) step();
  return static_cast<double>(Now() - start) / kSteps / 1e3;
}

bool Print(const char* name, double value, double target) {
  const bool ok = value > 0 && value <= target;
  fmt::print("BENCH {} {:.3f} us target <= {} {}\n", name, value, target, ok ? "ok" : "short");
  return ok;
}

int Run() {
  auto gate = share::Gate::Create({.policy = "fifo"});
  if (!gate) return fmt::print(stderr, "{}\n", gate.error().message), 1;
  Shared& shared = MakeShared();
  double alone = 1e9, mutex = 1e9;
  std::vector<Nanos> gates, conditions;
  GateBaton uncontended{**gate};
  for (int round = 0; round < kRounds; ++round) {
    alone = std::min(alone, MicrosecondsEach([&] { uncontended.Take(), uncontended.Give(); }));
    mutex = std::min(mutex, MicrosecondsEach([&] {
                       pthread_mutex_lock(&shared.mutex);
                       pthread_mutex_unlock(&shared.mutex);
                     }));
    share::Gate* joined = nullptr;
    Round(shared, gates, [&](int me) {
      if (me == 1) joined = share::Gate::Join((*gate)->path())->release();
      return GateBaton{me == 1 ? *joined : **gate};
    });
    shared.turn = 0;
    Round(shared, conditions, [&](int me) { return ConditionBaton{shared, me}; });
  }
  fmt::print(
      "mutex alone {:.3f} us; hand-over by condition variable p50 {:.2f} us, p99 {:.2f} us; "
      "by the gate p99 {:.2f} us ({} hand-overs)\n",
      mutex, Quantile(conditions, 0.5), Quantile(conditions, 0.99), Quantile(gates, 0.99),
      gates.size());
  bool ok = Print("gate_uncontended", alone, 1);
  ok &= Print("gate_hand_over_p50", Quantile(gates, 0.5), 10);
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace cbench

int main() { return cbench::Run(); }
