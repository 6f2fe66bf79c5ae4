// The process between us and a command: it makes sure that nothing the command started outlives
// the command or us, however either ends and wherever its descendants went.
//
// The kernel has two halves of that. A parent-death signal reaches a child, not its children; a
// group can be killed as a whole, but a descendant leaves it with setsid. So each command gets a
// warden: a copy of us that does nothing but wait. It is the subreaper of all the command's
// descendants: one whose parent dies becomes the warden's child. When the command has ended, or we
// have (our end of the line closes, also by kill -9), the warden kills its children until it has
// none; as each dies, those below it come up. The command is told by a parent-death signal.
//
//   cbench ── line ── warden ── command ── …whatever it starts
//
// The line is a SOCK_SEQPACKET pair. The warden sends the command's pid, and once it has ended its
// WardenReport; it takes one byte at a time: a signal for the command's group. While it may be
// sent a signal the command is not reaped, so its number cannot be somebody else's.
//
// Limits: who kills a warden with SIGKILL frees what the command started in other groups; what runs
// as another user (setuid) cannot be killed and is left alone; a new subreaper below the command
// (a service manager, a container's shim) keeps its own orphans until it dies itself.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace cbench {

// Everything the warden and the command need, made before fork: after it neither may allocate,
// because a lock of the heap may have been held by a thread that does not exist there.
struct ExecPlan {
  std::vector<std::string> environment;
  std::vector<char*> argv, envp;
  const char* directory = nullptr;  // null: ours
  int in = -1, out = -1, err = -1;  // become 0, 1, 2
  int report = -1;                  // gets errno if the exec fails; closed by a successful one
  int line = -1;                    // the warden's end of the line
};

struct WardenReport {
  int wait_status = 0;  // of the command, as wait4 gives it
  rusage usage{};
};

// The rest of the warden's life; call it in the child after fork.
[[noreturn]] void RunWarden(const ExecPlan& plan);

}  // namespace cbench
