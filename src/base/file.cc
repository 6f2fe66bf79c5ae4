#include "base/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

namespace cbench {
namespace fs = std::filesystem;

namespace {

const char* Env(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? value : nullptr;
}

bool WriteAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

Result<std::string> ReadFile(const fs::path& path, std::size_t limit) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return InputError("{}: is a directory, not a file", path.string());
  const auto size = fs::file_size(path, error);
  if (error) return InputError("{}: {}", path.string(), error.message());
  if (size > limit) {
    return InputError("{}: {} bytes, over the limit of {}", path.string(), size, limit);
  }
  std::ifstream in(path, std::ios::binary);
  std::string content(static_cast<std::size_t>(size), '\0');
  in.read(content.data(), static_cast<std::streamsize>(size));
  if (!in && !in.eof()) return InputError("{}: {}", path.string(), std::strerror(errno));
  content.resize(static_cast<std::size_t>(in.gcount()));
  return content;
}

Result<> WriteFileAtomic(const fs::path& path, std::string_view content) {
  const std::string temporary = fmt::format("{}.{}.tmp", path.string(), getpid());
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return Failure("{}: {}", temporary, std::strerror(errno));
  const bool written = WriteAll(fd, content) && fsync(fd) == 0;
  const int saved = errno;
  close(fd);
  if (written && rename(temporary.c_str(), path.c_str()) == 0) return {};
  const int reason = written ? errno : saved;
  unlink(temporary.c_str());
  return Failure("{}: {}", path.string(), std::strerror(reason));
}

fs::path SelfPath() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

fs::path HomeDir() {
  if (const char* home = Env("CBENCH_HOME")) return home;
  // build/cbench in a source tree, or PREFIX/bin/cbench beside PREFIX/share/cbench.
  const fs::path folder = SelfPath().parent_path();
  std::error_code error;
  for (const fs::path& candidate : {folder / "../share/cbench", folder / "..", folder / "../.."}) {
    if (fs::is_directory(candidate / "scenarios", error))
      return fs::weakly_canonical(candidate, error);
  }
  return fs::current_path(error);
}

fs::path CacheDir() {
  if (const char* cache = Env("CBENCH_CACHE")) return cache;
  if (const char* xdg = Env("XDG_CACHE_HOME")) return fs::path(xdg) / "cbench";
  if (const char* home = Env("HOME")) return fs::path(home) / ".cache" / "cbench";
  return fs::temp_directory_path() / "cbench-cache";
}

}  // namespace cbench
