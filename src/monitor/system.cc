#include "monitor/system.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "monitor/nvml.h"

namespace cbench::monitor {
namespace {

constexpr std::size_t kMaxText = 4u << 20;  // /proc/stat of a large machine is 0.1 MiB

class FdPerfCounter final : public PerfCounter {
 public:
  explicit FdPerfCounter(int fd) : fd_(fd) {}
  ~FdPerfCounter() override { close(fd_); }
  FdPerfCounter(const FdPerfCounter&) = delete;
  FdPerfCounter& operator=(const FdPerfCounter&) = delete;

  std::optional<std::uint64_t> Read() override {
    std::array<std::uint64_t, 3> values{};  // count, time enabled, time running
    if (read(fd_, values.data(), sizeof values) != sizeof values) return std::nullopt;
    if (values[2] == 0 || values[2] < values[1]) return std::nullopt;
    return values[0];
  }

 private:
  const int fd_;
};

bool NaturalOrder(const std::string& a, const std::string& b) {
  return strverscmp(a.c_str(), b.c_str()) < 0;
}

}  // namespace

// Much cheaper than a stream; probes open dozens of files many times a second.
std::optional<std::string> OpenReal(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::string text;
  std::array<char, 16384> block;
  ssize_t n = 0;
  while (text.size() < kMaxText && (n = read(fd, block.data(), block.size())) > 0) {
    text.append(block.data(), static_cast<std::size_t>(n));
  }
  close(fd);
  if (n < 0) return std::nullopt;
  return text;
}

std::vector<std::string> ListReal(const std::string& path) {
  std::vector<std::string> names;
  DIR* directory = opendir(path.c_str());
  if (!directory) return names;
  while (const dirent* entry = readdir(directory)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  closedir(directory);
  std::sort(names.begin(), names.end(), NaturalOrder);
  return names;
}

Result<std::unique_ptr<PerfCounter>> OpenPerfReal(const PerfEvent& event) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  const long fd =
      syscall(SYS_perf_event_open, &attributes, -1, event.cpu, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) return Failure("perf_event_open: {}", strerror(errno));
  return std::make_unique<FdPerfCounter>(static_cast<int>(fd));
}

System RealSystem(std::vector<WatchedProcess> processes) {
  return {OpenReal,
          ListReal,
          OpenPerfReal,
          OpenNvml,
          std::move(processes),
          static_cast<int>(sysconf(_SC_PAGESIZE)),
          static_cast<int>(sysconf(_SC_CLK_TCK))};
}

}  // namespace cbench::monitor
