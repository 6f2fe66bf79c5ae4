// Which processes belong to whom: the watched ones and all their descendants. Not thread-safe.
//
// The kernel names a process's parent, not its children, so all of /proc is looked through; that
// is why Refresh is called less often than values are read, and why a child that lives shorter
// than the time between two calls is missed. A descendant whose parent ends before Refresh has
// seen it belongs to nobody; once seen, it keeps its owner. Strangers, of which there are many,
// are looked at again only at every kLookAgain-th call, when their numbers may have new holders.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "monitor/system.h"

namespace cbench::monitor {

// Some fields of /proc/PID/stat (proc(5)).
struct ProcessStat {
  int parent = 0;
  double major_faults = 0, cpu_ticks = 0, threads = 0, start_ticks = 0, resident_pages = 0;
};
std::optional<ProcessStat> ParseProcessStat(std::string_view text);

class ProcessTree {
 public:
  explicit ProcessTree(const System& system);

  void Refresh();

  // By watched process, in the order of System::processes; empty once it has ended.
  const std::vector<std::vector<int>>& pids() const { return pids_; }

  // Index of the watched process that `pid` belongs to; -1: none.
  int OwnerOf(int pid) const;

 private:
  struct Member {
    int owner = -1;
    double start_ticks = 0;  // tells a process from a later one with the same number
  };

  static constexpr int kLookAgain = 5;

  std::map<int, ProcessStat> ReadAll() const;  // but strangers
  void KeepLiving(const std::map<int, ProcessStat>& all);
  void AddDescendants(const std::map<int, ProcessStat>& all);

  const Opener open_;
  const Lister list_;
  std::map<int, Member> members_;
  std::set<int> strangers_;
  int refreshes_ = 0;
  std::vector<std::vector<int>> pids_;
};

}  // namespace cbench::monitor
