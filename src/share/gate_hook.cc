#include "share/gate_hook.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "share/actuators/cpu.h"
#include "share/gate/gate.h"
#include "share/program.h"

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
  GateHook(std::unique_ptr<Gate> gate, std::optional<Program> program)
      : gate_(std::move(gate)), program_(std::move(program)) {
    if (program_) gate_->Introduce(StepOf(*program_), false);
    if (!gate_->options().kernel_lanes) return;
    if (const auto available = CpuLanes::Available()) {
      lanes_ = std::make_unique<CpuLanes>();
    } else {
      Note("no kernel lanes", available.error());
    }
  }

  void Begin(const StepInfo& step) override {
    if (step.app.empty() && program_) {
      Ask(ForProgram(step));
    } else {
      Ask(step);
    }
  }

  // Others may push the threads aside until the slot is free.
  void End(const StepInfo&) override {
    const bool pushed = held.slot != Gate::kUnarranged && lanes_ && gate_->Aside(held.slot);
    if (lanes_) Leave(pushed);
    if (gate_->Release(held.slot, held.switched || pushed) && lanes_ && !pushed) Leave(true);
    held = {};
  }

  bool Arranges() const override { return !gate_->open() && gate_->options().policy != "open"; }
  Nanos LongestBackStep() const override {
    return Arranges() ? gate_->options().params.back_step : 0;
  }
  void AddWorkers(std::span<const pid_t> workers) override {
    if (!lanes_) return;
    lanes_->AddWorkers(workers);
    gate_->AddWorkers(workers);
  }

 private:
  StepInfo ForProgram(StepInfo step) const {
    step.app = program_->app;
    step.app_class = program_->app_class;
    step.weight = program_->weight;
    return step;
  }

  void Ask(const StepInfo& step) {
    held.slot = gate_->Acquire(step);
    if (lanes_) held.switched = lanes_->Enter(KernelLane(step));
  }

  Lane KernelLane(const StepInfo& step) {
    if (held.slot == Gate::kUnarranged) return Lane::kFront;
    if (LaneOf(step.app_class) == Lane::kBack)
      return gate_->StartAside(held.slot) ? Lane::kBack : Lane::kFront;
    gate_->PushAside(SetKernelLane);
    return Lane::kFront;
  }

  void Leave(bool pushed) {
    if (pushed) lanes_->NotePushed();
    lanes_->Leave();
  }

  const std::unique_ptr<Gate> gate_;
  const std::optional<Program> program_;
  std::unique_ptr<CpuLanes> lanes_;  // null: the kernel is told nothing
};

// `cbench share` gives a program a name; `cbench run` does not.
std::optional<Program> NamedProgram() {
  if (std::getenv(kAppVariable) == nullptr) return std::nullopt;
  auto program = ProgramFromEnvironment();
  if (program) return std::move(*program);
  Note("steps without a name are latency", program.error());
  return std::nullopt;
}

}  // namespace

std::unique_ptr<StepHook> MakeGateHook(std::unique_ptr<Gate> gate, std::optional<Program> program) {
  return std::make_unique<GateHook>(std::move(gate), std::move(program));
}

std::unique_ptr<StepHook> MakeHookFromEnvironment() {
  const char* path = std::getenv(kGateVariable);
  const char* hook = std::getenv(kHookVariable);
  const bool off = hook != nullptr && std::string_view(hook) == "off";
  if (path == nullptr || *path == '\0' || off) return MakeFreeHook();
  setenv(kHookedVariable, std::to_string(getpid()).c_str(), 1);
  auto gate = Gate::Join(path);
  if (gate) return MakeGateHook(std::move(*gate), NamedProgram());
  Note("steps run free", gate.error());
  return MakeFreeHook();
}

}  // namespace cbench::share
