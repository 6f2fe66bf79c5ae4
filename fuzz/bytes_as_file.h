// Any bytes as a file that has a path, without touching a disk.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace cbench {

class BytesAsFile {
 public:
  BytesAsFile(const std::uint8_t* data, std::size_t size) : fd_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (write(fd_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~BytesAsFile() { close(fd_); }
  BytesAsFile(const BytesAsFile&) = delete;
  BytesAsFile& operator=(const BytesAsFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  const int fd_;
};

}  // namespace cbench
