#include "shim/threads.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

namespace cbench::shim {
namespace {

constexpr char kTasks[] = "/proc/self/task";

unsigned long Count() {
  struct stat facts = {};
  return stat(kTasks, &facts) == 0 ? facts.st_nlink : 0;  // 2 more than there are threads
}

std::set<pid_t> Threads() {
  std::set<pid_t> threads;
  DIR* tasks = opendir(kTasks);
  if (tasks == nullptr) return threads;
  while (const dirent* entry = readdir(tasks))
    if (const int thread = std::atoi(entry->d_name); thread > 0) threads.insert(thread);
  closedir(tasks);
  return threads;
}

}  // namespace

void NewThreads::TellHook(share::StepHook& hook) {
  const std::lock_guard lock(mutex_);
  const auto count = Count();
  if (count == count_) return;
  count_ = count;
  std::set<pid_t> threads = Threads();
  std::vector<pid_t> fresh;
  for (const pid_t thread : threads)
    if (known_.count(thread) == 0 && thread != gettid()) fresh.push_back(thread);
  known_ = std::move(threads);
  hook.AddWorkers(fresh);
}

}  // namespace cbench::shim
