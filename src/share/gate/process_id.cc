#include "share/gate/process_id.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace cbench::share {

ProcessId ParseProcessId(pid_t pid, const std::string& stat) {
  // The command's name, in brackets, may hold spaces and brackets: read on after the last one.
  const auto end = stat.rfind(')');
  if (end == std::string::npos) return {};
  std::istringstream fields(stat.substr(end + 1));
  std::string state, word;
  fields >> state;  // field 3
  if (state == "Z" || state == "X") return {};
  for (int field = 4; field < 22; ++field) fields >> word;
  ProcessId process{.pid = pid};
  fields >> process.start;
  return fields ? process : ProcessId{};
}

ProcessId ReadProcessId(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string stat;
  std::getline(in, stat, '\0');  // all of it: the name may hold a newline
  return ParseProcessId(pid, stat);
}

bool IsAlive(const ProcessId& process) {
  return process.pid != 0 && ReadProcessId(process.pid) == process;
}

}  // namespace cbench::share
