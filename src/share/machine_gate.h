// The gate that all of one user's programs share outside benchmarks (docs/share.md): a file in
// memory that its first user makes and its last removes.
#pragma once

#include <string>

#include "share/gate/memory.h"

namespace cbench::share {

// In $XDG_RUNTIME_DIR, else in /run/user/UID if that is there, else in /dev/shm with the user's
// number in its name.
std::string MachineGatePath();

// Policy credit, with the lanes of this machine.
GateOptions MachineGateOptions();

// Lanes for a CPU: where the kernel can be told, it pushes back-lane threads aside by itself, so
// one step of each lane runs; else steps run one at a time.
void SetCpuLanes(GateOptions& options);

}  // namespace cbench::share
