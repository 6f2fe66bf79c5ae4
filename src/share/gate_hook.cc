#include "share/gate_hook.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "share/actuators/cpu.h"
#include "share/gate/gate.h"

namespace cbench::share {
namespace {

void Note(std::string_view what, const Error& why) {
  std::fputs(fmt::format("gate: {}: {}\n", what, why.message).c_str(), stderr);
}

// What the thread has between Begin and End.
struct Held {
  int slot = Gate::kUnarranged;
  bool switched = false;
};
thread_local Held held;

class GateHook final : public StepHook {
 public:
  explicit GateHook(std::unique_ptr<Gate> gate) : gate_(std::move(gate)) {
    if (!gate_->options().kernel_lanes) return;
    if (const auto available = CpuLanes::Available()) {
      lanes_ = std::make_unique<CpuLanes>();
    } else {
      Note("no kernel lanes", available.error());
    }
  }

  void Begin(const StepInfo& step) override {
    held.slot = gate_->Acquire(step);
    if (!lanes_) return;
    const bool arranged = held.slot != Gate::kUnarranged;
    held.switched = lanes_->Enter(arranged ? LaneOf(step.app_class) : Lane::kFront);
  }

  void End(const StepInfo&) override {
    if (lanes_) lanes_->Leave();
    gate_->Release(held.slot, held.switched);
    held = {};
  }

  bool Arranges() const override { return !gate_->open() && gate_->options().policy != "open"; }
  Nanos LongestBackStep() const override {
    return Arranges() ? gate_->options().params.back_step : 0;
  }
  void AddWorkers(std::span<const pid_t> workers) override {
    if (lanes_) lanes_->AddWorkers(workers);
  }

 private:
  const std::unique_ptr<Gate> gate_;
  std::unique_ptr<CpuLanes> lanes_;  // null: the kernel is told nothing
};

}  // namespace

std::unique_ptr<StepHook> MakeGateHook(std::unique_ptr<Gate> gate) {
  return std::make_unique<GateHook>(std::move(gate));
}

std::unique_ptr<StepHook> MakeHookFromEnvironment() {
  const char* path = std::getenv(kGateVariable);
  const char* hook = std::getenv(kHookVariable);
  const bool off = hook != nullptr && std::string_view(hook) == "off";
  if (path == nullptr || *path == '\0' || off) return MakeFreeHook();
  setenv(kHookedVariable, std::to_string(getpid()).c_str(), 1);
  auto gate = Gate::Join(path);
  if (gate) return MakeGateHook(std::move(*gate));
  Note("steps run free", gate.error());
  return MakeFreeHook();
}

}  // namespace cbench::share
