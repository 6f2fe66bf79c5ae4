#include "share/actuators/cpu.h"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

namespace cbench::share {
namespace {

constexpr std::size_t kNameLength = 15;  // the kernel's TASK_COMM_LEN without the NUL

thread_local Lane own_lane = Lane::kFront;

std::string NameOf(const std::filesystem::path& task) {
  std::ifstream in(task / "comm");
  std::string name;
  std::getline(in, name);
  return name;
}

}  // namespace

bool SetKernelLane(pid_t thread, Lane lane) {
  const sched_param none{};
  return sched_setscheduler(thread, lane == Lane::kBack ? SCHED_IDLE : SCHED_OTHER, &none) == 0;
}

bool SetOwnKernelLane(pid_t thread, Lane lane) {
  return tgkill(getpid(), thread, 0) == 0 && SetKernelLane(thread, lane);
}

std::vector<pid_t> ThreadsNamed(std::string_view name) {
  std::vector<pid_t> threads;
  std::error_code gone;  // a thread may end while we look
  std::filesystem::directory_iterator task("/proc/self/task", gone);
  for (; !gone && task != std::filesystem::directory_iterator(); task.increment(gone)) {
    if (NameOf(task->path()) == name.substr(0, kNameLength))
      threads.push_back(std::stoi(task->path().filename().string()));
  }
  return threads;
}

NameForNewThreads::NameForNewThreads(const char* name) {
  prctl(PR_GET_NAME, before_);
  prctl(PR_SET_NAME, name);
}

NameForNewThreads::~NameForNewThreads() { prctl(PR_SET_NAME, before_); }

Result<> CpuLanes::Available() {
  int error = 0;
  bool there = false;
  std::thread([&] {  // a thread that can't come back is lost
    there = SetKernelLane(gettid(), Lane::kBack);
    if (!there || !SetKernelLane(gettid(), Lane::kFront)) error = errno;
  })
      .join();
  if (error == 0) return {};
  if (!there) return Failure("the kernel refuses SCHED_IDLE: {}", std::strerror(error));
  return Failure(
      "threads may go to SCHED_IDLE but not come back ({}); raise RLIMIT_NICE to 20 (ulimit -e 20) "
      "or give CAP_SYS_NICE",
      std::strerror(error));
}

void CpuLanes::AddWorkers(std::span<const pid_t> workers) {
  const std::lock_guard lock(mutex_);
  for (const pid_t worker : workers) {
    workers_.push_back(worker);
    if (workers_lane_ != Lane::kFront) set_(worker, workers_lane_);
  }
}

bool CpuLanes::Enter(Lane lane) {
  const bool changes = own_lane != lane;
  if (changes && set_(gettid(), lane)) own_lane = lane;
  const std::lock_guard lock(mutex_);
  if (workers_lane_ == lane) return changes;
  for (const pid_t worker : workers_) set_(worker, lane);
  workers_lane_ = lane;
  return true;
}

void CpuLanes::NotePushed() {
  own_lane = Lane::kBack;
  const std::lock_guard lock(mutex_);
  workers_lane_ = Lane::kBack;
}

void CpuLanes::Leave() {
  if (own_lane != Lane::kFront && set_(gettid(), Lane::kFront)) own_lane = Lane::kFront;
}

}  // namespace cbench::share
