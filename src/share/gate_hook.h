// The step hook of an engine that shares its device with others: asks the gate before each step.
// Steps of one thread follow one another; steps of several threads are told apart.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "share/program.h"
#include "share/step_hook.h"

namespace cbench::share {

class Gate;

inline constexpr char kGateVariable[] = "CBENCH_GATE";  // the path of the gate to join

// "off": the program does not ask by itself. For trying libcbench-gate.so on our own engines.
inline constexpr char kHookVariable[] = "CBENCH_HOOK";

// Set by the hook to the number of its process: libcbench-gate.so in the same process must not ask
// a second time for the same steps, which would wait for ever. (What the process starts inherits
// the variable, but has another number.)
inline constexpr char kHookedVariable[] = "CBENCH_HOOKED";

// With $CBENCH_GATE set the gate's hook, else the free one. An engine works without its gate: if
// that can't be joined the reason goes to stderr and the hook is the free one. Call it before the
// program has threads: it changes the environment.
std::unique_ptr<StepHook> MakeHookFromEnvironment();

// `program`: who steps belong to that name nobody, introduced to the gate at once.
std::unique_ptr<StepHook> MakeGateHook(std::unique_ptr<Gate> gate,
                                       std::optional<Program> program = std::nullopt);

}  // namespace cbench::share
