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
  if (fstat(fd, &facts) != 0 || facts.st_size != static_cast<off_t>(sizeof(GateLayout))) {
    close(fd);
    return InputError("{} is no gate of this version: {} bytes instead of {}", path, facts.st_size,
                      sizeof(GateLayout));
  }
  CBENCH_ASSIGN(auto memory, Map(fd, path));
  CBENCH_TRY(Check(*memory, path));
  return memory;
}

// Filled under another name and then linked: nobody ever sees half a gate, and one maker wins.
Result<GateMemory> GateMemory::MakeNamed(const std::string& path, const GateOptions& options) {
  const std::string draft = fmt::format("{}.{}", path, getpid());
  const int fd = open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return Failure("{}: {}", draft, std::strerror(errno));
  const bool sized = ftruncate(fd, sizeof(GateLayout)) == 0;
  auto memory = Map(fd, path);
  if (sized && memory) Fill(**memory, options, true);
  const bool won = sized && memory && link(draft.c_str(), path.c_str()) == 0;
  const int error = errno;
  unlink(draft.c_str());
  if (won || !memory) return memory;
  if (sized && error == EEXIST) return Open(path);
  return Failure("{}: {}", path, std::strerror(error));
}

}  // namespace cbench::share
