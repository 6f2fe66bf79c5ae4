#include "share/gate/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace cbench::share {
namespace {

void InitMutex(pthread_mutex_t& mutex) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

void Fill(GateLayout& gate, const GateOptions& options, bool named) {
  new (&gate) GateLayout();
  gate.size = sizeof gate;
  std::strncpy(gate.policy, options.policy.c_str(), sizeof gate.policy - 1);
  gate.params = options.params;
  gate.lanes = options.lanes;
  gate.kernel_lanes = options.kernel_lanes;
  gate.named = named;
  if (!named) gate.owner = ReadProcessId(getpid());
  InitMutex(gate.mutex);
}

Result<> Check(const GateLayout& gate, const std::string& path) {
  if (gate.magic != kGateMagic) return InputError("{} is no gate", path);
  if (gate.version != kGateVersion || gate.size != sizeof gate)
    return InputError("{} is a gate of version {} ({} bytes), this program's is {} ({})", path,
                      gate.version, gate.size, kGateVersion, sizeof gate);
  return {};
}

}  // namespace

GateMemory::GateMemory(GateMemory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      layout_(std::exchange(other.layout_, nullptr)),
      path_(std::move(other.path_)) {}

GateMemory::~GateMemory() {
  if (layout_ != nullptr) munmap(layout_, sizeof *layout_);
  if (fd_ >= 0) close(fd_);
}

Result<GateMemory> GateMemory::Map(int fd, std::string path) {
  void* memory = mmap(nullptr, sizeof(GateLayout), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) {
    close(fd);
    return Failure("{}: cannot be mapped: {}", path, std::strerror(errno));
  }
  return GateMemory(fd, static_cast<GateLayout*>(memory), std::move(path));
}

Result<GateMemory> GateMemory::Make(const GateOptions& options) {
  const int fd = memfd_create("cbench-gate", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return Failure("no shared memory for the gate: {}", std::strerror(errno));
  if (ftruncate(fd, sizeof(GateLayout)) != 0) {
    close(fd);
    return Failure("no shared memory for the gate: {}", std::strerror(errno));
  }
  fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);  // nobody can pull it away under the others
  CBENCH_ASSIGN(auto memory, Map(fd, fmt::format("/proc/{}/fd/{}", getpid(), fd)));
  Fill(*memory, options, false);
  return memory;
}

Result<GateMemory> GateMemory::Open(const std::string& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return InputError("no gate at {}: {}", path, std::strerror(errno));
  struct stat facts = {};
  const bool there = fstat(fd, &facts) == 0;
  if (there && facts.st_uid != geteuid()) {
    close(fd);
    return InputError("the gate {} is user {}'s, not ours", path, facts.st_uid);
  }
  if (!there || facts.st_size != static_cast<off_t>(sizeof(GateLayout))) {
    close(fd);
    return InputError("{} is no gate of this version: {} bytes instead of {}", path, facts.st_size,
                      sizeof(GateLayout));
  }
  CBENCH_ASSIGN(auto memory, Map(fd, path));
  CBENCH_TRY(Check(*memory, path));
  return memory;
}

// Made without a name and then linked to it: nobody ever sees half a gate, one maker wins, and a
// maker that dies leaves nothing.
Result<GateMemory> GateMemory::MakeNamed(const std::string& path, const GateOptions& options) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const int fd = open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (fd < 0) return Failure("{}: no gate can be made here: {}", folder, std::strerror(errno));
  // Not ftruncate: who finds the memory full when he writes to it dies of it.
  if (const int error = posix_fallocate(fd, 0, sizeof(GateLayout)); error != 0) {
    close(fd);
    return Failure("no memory for the gate {}: {}", path, std::strerror(error));
  }
  CBENCH_ASSIGN(auto memory, Map(fd, path));
  Fill(*memory, options, true);
  const std::string self = fmt::format("/proc/self/fd/{}", fd);
  if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) return memory;
  if (errno == EEXIST) return Open(path);
  return Failure("{}: {}", path, std::strerror(errno));
}

bool GateMemory::HasName() const {
  struct stat facts = {};
  return fstat(fd_, &facts) == 0 && facts.st_nlink > 0;
}

void GateMemory::RemoveName() { unlink(path_.c_str()); }

}  // namespace cbench::share
