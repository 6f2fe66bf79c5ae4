// The step gate: how steps of several processes ask for one device. docs/gate.md explains it.
//
// Threads and processes: every process has its own Gate over the same shared memory (layout.h),
// and any thread may use it. There is no server: whoever comes, goes or wakes runs the policy
// under the one shared mutex and wakes exactly those it grants. The process that makes a gate
// without a name has a thread that clears up after processes that die. When that process dies
// itself, or cannot be understood, everything runs free: a gate may delay work, never stop it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>

#include "share/gate/memory.h"
#include "share/gate/status.h"

namespace cbench::share {

class GateDesk;
class GateWatcher;

class Gate {
 public:
  // A new gate that lives as long as this object; others Join(path()). Errors: unknown policy.
  static Result<std::unique_ptr<Gate>> Create(const GateOptions& options);

  // A gate that is there. Errors say why there is none or none that we understand.
  static Result<std::unique_ptr<Gate>> Join(const std::string& path);

  // A gate with a name, made with `options` if it is not there; the last to leave removes it.
  static Result<std::unique_ptr<Gate>> JoinNamed(const std::string& path,
                                                 const GateOptions& options);

  // A gate that is there, to look at, not to use: for Inspect, Drain and Status. Removes a gate
  // with a name that nobody uses any more.
  static Result<std::unique_ptr<Gate>> Look(const std::string& path);

  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  const std::string& path() const { return memory_.path(); }
  const GateOptions& options() const { return options_; }

  // Whose steps this process asks for, for the others to see before the first; a keeper asks for
  // none itself but has started those that do.
  void Introduce(const StepInfo& who, bool keeper);

  // Blocks until the step may have the device. Returns what Release needs: the step's slot, or
  // kUnarranged if the step runs without having been arranged.
  static constexpr int kUnarranged = -1;
  int Acquire(const StepInfo& step);
  // `switched`: the kernel's scheduling class was changed for this step.
  // True if the step's threads were put aside (see below).
  bool Release(int slot, bool switched = false);

  // For kernel lanes, of a step that was granted; the calling thread computes it, and the workers.
  // A back step: whether it starts in the kernel's back lane. It must say so before it begins, and
  // may be pushed there by others from then on.
  bool StartAside(int slot);
  // A front step: has every thread put there that computes a back step.
  using Push = std::function<bool(pid_t thread, Lane lane)>;
  void PushAside(const Push& push);
  // Whether the step's threads are there now, by whomever.
  bool Aside(int slot) const;
  void AddWorkers(std::span<const pid_t> workers);  // of this process

  // Hands over the holds written since the last call, oldest first; returns how many of them were
  // overwritten before. One reader a Gate object.
  std::uint64_t Drain(const std::function<void(const Hold&)>& visit);

  void Rewind();  // Drain begins again with the oldest hold that is kept

  GateStatus Status();

  // Whether everything runs free.
  bool open() const;
  void Open();  // from now on

  // For the watcher: the processes that use the gate; and a look for the dead and the overdue.
  std::array<ProcessId, kMaxClients> Clients();
  void Inspect();

 private:
  Gate(GateMemory memory, std::unique_ptr<Policy> policy, GateOptions options);
  static Result<std::unique_ptr<Gate>> Make(GateMemory memory);
  static Result<std::unique_ptr<Gate>> MakeUser(GateMemory memory);
  Result<> Register();
  bool HasName();
  int Wait(int slot);
  bool Stay(int slot, Nanos& alarm, std::uint32_t& seen);

  GateMemory memory_;
  const std::unique_ptr<Policy> policy_;
  const GateOptions options_;
  const std::unique_ptr<GateDesk> desk_;
  int client_ = -1;  // -1: looks only
  bool maker_ = false;
  std::uint64_t drained_ = 0;
  std::unique_ptr<GateWatcher> watcher_;
};

}  // namespace cbench::share
