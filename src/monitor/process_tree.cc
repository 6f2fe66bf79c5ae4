#include "monitor/process_tree.h"

#include "monitor/fields.h"

namespace cbench::monitor {
namespace {

// Fields of /proc/PID/stat as words behind the command's ")": the state is word 0, field 3.
enum Word {
  kParent = 1,
  kMajorFaults = 9,
  kUser = 11,
  kSystem,
  kThreads = 17,
  kStart = 19,
  kRss = 21
};

std::string StatPath(std::string_view pid) { return fmt::format("/proc/{}/stat", pid); }

}  // namespace

std::optional<ProcessStat> ParseProcessStat(std::string_view text) {
  const auto end = text.rfind(')');  // a command may hold anything, also ")"
  if (end == text.npos) return std::nullopt;
  const auto words = Words(text.substr(end + 1));
  if (words.size() <= kRss) return std::nullopt;
  const auto value = [&words](int word) {
    return Number(words[static_cast<std::size_t>(word)]).value_or(0);
  };
  return ProcessStat{static_cast<int>(value(kParent)),
                     value(kMajorFaults),
                     value(kUser) + value(kSystem),
                     value(kThreads),
                     value(kStart),
                     value(kRss)};
}

ProcessTree::ProcessTree(const System& system)
    : open_(system.open), list_(system.list), pids_(system.processes.size()) {
  for (std::size_t i = 0; i < system.processes.size(); ++i) {
    const int pid = system.processes[i].pid;
    const auto stat = ParseProcessStat(open_(StatPath(fmt::to_string(pid))).value_or(""));
    if (stat) members_[pid] = {static_cast<int>(i), stat->start_ticks};
  }
}

void ProcessTree::Refresh() {
  if (refreshes_++ % kLookAgain == 0) strangers_.clear();
  const auto all = ReadAll();
  KeepLiving(all);
  AddDescendants(all);
  for (const auto& [pid, stat] : all) {
    if (OwnerOf(pid) < 0) strangers_.insert(pid);
  }
  for (auto& pids : pids_) pids.clear();
  for (const auto& [pid, member] : members_)
    pids_[static_cast<std::size_t>(member.owner)].push_back(pid);
}

int ProcessTree::OwnerOf(int pid) const {
  const auto member = members_.find(pid);
  return member == members_.end() ? -1 : member->second.owner;
}

std::map<int, ProcessStat> ProcessTree::ReadAll() const {
  std::map<int, ProcessStat> all;
  for (const auto& name : list_("/proc")) {
    const auto pid = Unsigned(name);
    if (!pid || strangers_.contains(static_cast<int>(*pid))) continue;
    if (const auto stat = ParseProcessStat(open_(StatPath(name)).value_or("")))
      all[static_cast<int>(*pid)] = *stat;
  }
  return all;
}

void ProcessTree::KeepLiving(const std::map<int, ProcessStat>& all) {
  std::erase_if(members_, [&all](const auto& member) {
    const auto found = all.find(member.first);
    return found == all.end() || found->second.start_ticks != member.second.start_ticks;
  });
}

// A child of a member belongs to the member's owner. Numbers of processes wrap around, so a child
// may come before its parent: repeat until nothing changes.
void ProcessTree::AddDescendants(const std::map<int, ProcessStat>& all) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [pid, stat] : all) {
      const int owner = OwnerOf(stat.parent);
      if (owner < 0 || OwnerOf(pid) >= 0) continue;
      members_[pid] = {owner, stat.start_ticks};
      changed = true;
    }
  }
}

}  // namespace cbench::monitor
