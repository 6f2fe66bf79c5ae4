// The cache of synthetic models. Several processes may share it: whoever holds a model's lock file
// makes the model, so a temporary file whose lock is free was left by a process that died.
#include "embedded/model_store.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"

namespace cbench::embedded {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kScheme = "synth:";
constexpr int kFormatVersion = 1;  // raise when the same name and quant would give other bytes
constexpr Nanos kLockLimit = 900 * kSecond;
constexpr std::uint64_t kSpareBytes = 64u << 20;  // left free for everything else on the disk

fs::path Folder() { return CacheDir() / "models"; }

fs::path TargetOf(const SynthModel& model, const std::string& quant) {
  return Folder() / fmt::format("{}-{}-v{}.{}", model.name, quant, kFormatVersion,
                                model.family == "speech" ? "bin" : "gguf");
}

fs::path LockOf(const fs::path& target) { return target.string() + ".lock"; }
fs::path TemporaryOf(const fs::path& target) { return target.string() + ".tmp"; }

// An flock on a file of its own. The file stays: removing it would let two processes lock two
// files of the same name.
class FileLock {
 public:
  explicit FileLock(const fs::path& path)
      : fd_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {}
  ~FileLock() {
    if (fd_ >= 0) close(fd_);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool is_open() const { return fd_ >= 0; }
  bool Try() const { return flock(fd_, LOCK_EX | LOCK_NB) == 0; }

 private:
  int fd_;
};

// flock knows no time limit, hence the short naps.
Result<> Acquire(const FileLock& lock, const fs::path& path, const SynthModel& model) {
  if (!lock.is_open()) {
    return Failure("{}: {}; set CBENCH_CACHE to a folder you may write", path.string(),
                   std::strerror(errno));
  }
  if (lock.Try()) return {};
  std::fprintf(stderr, "waiting for another process that is making synth:%s\n", model.name.c_str());
  for (const Nanos limit = Now() + kLockLimit; Now() < limit;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (lock.Try()) return {};
  }
  return Failure("synth:{}: another process has held {} for {}; end it, then try again", model.name,
                 path.string(), FormatDuration(kLockLimit));
}

void RemoveAbandoned(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".tmp") continue;
    const FileLock lock(LockOf(entry.path().parent_path() / entry.path().stem()));
    if (lock.is_open() && lock.Try()) fs::remove(entry.path(), error);
  }
}

Result<> CheckSpace(const SynthModel& model, const std::string& quant, const fs::path& folder) {
  struct statvfs disk{};
  if (statvfs(folder.c_str(), &disk) != 0) {
    return Failure("{}: {}", folder.string(), std::strerror(errno));
  }
  const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  const std::uint64_t needed = model.bytes(model, quant);
  if (free > kSpareBytes && free - kSpareBytes >= needed) return {};
  return Failure(
      "synth:{} {} needs {} in {}, where {} are free; remove models with 'cbench model rm NAME' "
      "or set CBENCH_CACHE to a folder on another disk",
      model.name, quant, FormatBytes(needed), folder.string(), FormatBytes(free));
}

Result<> Sync(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = fd >= 0 && fsync(fd) == 0;
  const int reason = errno;
  if (fd >= 0) close(fd);
  if (!synced) return Failure("{}: {}", path.string(), std::strerror(reason));
  return {};
}

// The caller holds the lock.
Result<> Make(const SynthModel& model, const std::string& quant, const fs::path& target,
              const Progress& progress) {
  const fs::path temporary = TemporaryOf(target);
  std::error_code error;
  auto written = model.write(model, quant, temporary, progress);
  if (written) written = Sync(temporary);
  if (written) {
    fs::rename(temporary, target, error);
    if (error) written = Failure("{}: {}", target.string(), error.message());
  }
  if (!written) {
    fs::remove(temporary, error);
    return written;
  }
  return Sync(target.parent_path());  // makes the new name durable
}

// "llama-3.2-1b-q4_0-v1.gguf" taken apart; quants hold no '-'.
std::optional<CachedModel> ParseEntry(const fs::path& path) {
  const std::string extension = path.extension();
  if (extension != ".gguf" && extension != ".bin") return std::nullopt;
  const std::string stem = path.stem();
  const auto version = stem.rfind("-v");
  if (version == std::string::npos || version == 0) return std::nullopt;
  const auto quant = stem.rfind('-', version - 1);
  if (quant == std::string::npos) return std::nullopt;
  std::error_code error;
  const auto bytes = fs::file_size(path, error);
  if (error) return std::nullopt;
  return CachedModel{stem.substr(0, quant), stem.substr(quant + 1, version - quant - 1), path,
                     bytes};
}

Result<const SynthModel*> Lookup(const std::string& name) {
  if (const SynthModel* model = FindSynthModel(name)) return model;
  std::vector<std::string> known;
  for (const SynthModel& model : SynthModels()) known.push_back(model.name);
  return InputError("model: no synthetic model '{}'; there are {}", name, fmt::join(known, ", "));
}

}  // namespace

std::optional<std::string> SynthName(std::string_view model) {
  if (model.substr(0, kScheme.size()) != kScheme) return std::nullopt;
  return std::string(model.substr(kScheme.size()));
}

Result<fs::path> EnsureCached(const SynthModel& model, const std::string& asked,
                              const Progress& progress) {
  const std::string quant = asked.empty() ? model.default_quant : asked;
  if (std::find(model.quants.begin(), model.quants.end(), quant) == model.quants.end()) {
    return InputError("quant: synth:{} has no '{}'; there are {}", model.name, quant,
                      fmt::join(model.quants, ", "));
  }
  fs::path target = TargetOf(model, quant);
  std::error_code error;
  if (fs::exists(target, error)) return target;
  fs::create_directories(target.parent_path(), error);
  if (error) {
    return Failure("{}: {}; set CBENCH_CACHE to a folder you may write",
                   target.parent_path().string(), error.message());
  }
  const FileLock lock(LockOf(target));
  CBENCH_TRY(Acquire(lock, LockOf(target), model));
  if (fs::exists(target, error)) return target;  // made while we waited
  fs::remove(TemporaryOf(target), error);
  RemoveAbandoned(target.parent_path());
  CBENCH_TRY(CheckSpace(model, quant, target.parent_path()));
  CBENCH_TRY(Make(model, quant, target, progress));
  return target;
}

Result<fs::path> ResolveModel(const std::string& model, const std::string& quant,
                              const Progress& progress) {
  if (const auto name = SynthName(model)) {
    CBENCH_ASSIGN(const SynthModel* entry, Lookup(*name));
    return EnsureCached(*entry, quant, progress);
  }
  if (!quant.empty())
    return InputError("--quant: is for synth: models; the file {} has its own", Printable(model));
  std::error_code error;
  if (!fs::is_regular_file(model, error)) {
    return InputError("--model: {} is not a file; give a path or synth:NAME ('cbench model list')",
                      Printable(model));
  }
  return fs::path(model);
}

std::vector<CachedModel> ListCachedModels() {
  std::vector<CachedModel> models;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(Folder(), error)) {
    if (auto model = ParseEntry(entry.path())) models.push_back(std::move(*model));
  }
  std::sort(models.begin(), models.end(), [](const CachedModel& a, const CachedModel& b) {
    return std::tie(a.name, a.quant) < std::tie(b.name, b.quant);
  });
  return models;
}

Result<> RemoveCachedModel(std::string_view asked) {
  const std::string name = SynthName(asked).value_or(std::string(asked));
  RemoveAbandoned(Folder());
  int removed = 0;
  for (const CachedModel& model : ListCachedModels()) {
    if (model.name != name) continue;
    std::error_code error;
    if (!fs::remove(model.path, error) || error) {
      return Failure("{}: {}", model.path.string(), error.message());
    }
    ++removed;
  }
  if (removed == 0) {
    return InputError("model: no '{}' in {}; 'cbench model list' shows what is there", name,
                      Folder().string());
  }
  return {};
}

}  // namespace cbench::embedded
