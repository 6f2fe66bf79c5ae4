// The writer of a record directory. Any thread may call it: a line is made outside the lock and
// written inside it, by one write(2) to a file opened O_APPEND, so lines never interleave and a
// killed harness loses at most its last one. The files and their errors are guarded by mutex_,
// which is taken last; the directory and the clock base never change.
#include "record/writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <random>

#include "base/file.h"
#include "record/parse.h"
#include "record/rebase.h"
#include "record/samples.h"

namespace cbench::record {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxName = 48;
constexpr std::size_t kMaxMessage = 2000;
constexpr int kNameAttempts = 16;

// Letters, digits, '.', '_' and '-' stay; every run of anything else becomes one '-'.
std::string FileName(std::string_view text, std::string_view otherwise) {
  std::string name;
  for (const char c : text.substr(0, kMaxName)) {
    const bool keep = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || (c == '.' && !name.empty());
    if (keep)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? std::string(otherwise) : name;
}

// Cuts at a character's border, so that no half of one becomes U+FFFD.
void Shorten(std::string& text, std::size_t limit) {
  if (text.size() <= limit) return;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  text.resize(limit);
}

Event Bounded(Event event) {
  if (auto* done = std::get_if<RequestDone>(&event.body)) {
    Shorten(done->output, kMaxOutput);
    if (done->failure) Shorten(done->failure->message, kMaxMessage);
  }
  if (auto* error = std::get_if<ErrorEvent>(&event.body)) Shorten(error->message, kMaxMessage);
  if (auto* probe = std::get_if<ProbeEvent>(&event.body)) Shorten(probe->detail, kMaxMessage);
  return event;
}

// A file that only grows. After its first error it stays as it is.
class Appender {
 public:
  ~Appender() { CloseFile(); }

  Result<> Open(const fs::path& path) {
    path_ = path;
    fd_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (fd_ < 0) Fail();
    return status_;
  }

  void Append(std::string_view line) {
    while (!line.empty() && status_ && fd_ >= 0) {
      const ssize_t n = write(fd_, line.data(), line.size());
      if (n >= 0)
        line.remove_prefix(static_cast<std::size_t>(n));
      else if (errno != EINTR)
        Fail();
    }
  }

  const Result<>& status() const { return status_; }

  Result<> Close() {
    if (fd_ >= 0 && status_ && fsync(fd_) != 0) Fail();
    CloseFile();
    return status_;
  }

 private:
  void Fail() { status_ = cbench::Failure("{}: {}", path_.string(), std::strerror(errno)); }
  void CloseFile() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

  fs::path path_;
  int fd_ = -1;
  Result<> status_;
};

class FileWriter : public Writer {
 public:
  FileWriter(fs::path directory, Nanos clock_base)
      : directory_(std::move(directory)), clock_base_(clock_base) {}

  Result<> Open(const Header& header) {
    std::error_code error;
    fs::create_directory(directory_ / "logs", error);
    if (error) return cbench::Failure("{}: {}", (directory_ / "logs").string(), error.message());
    CBENCH_TRY(UpdateHeader(header));
    CBENCH_TRY(events_.Open(directory_ / "events.jsonl"));
    return samples_.Open(directory_ / "samples.jsonl");
  }

  const fs::path& directory() const override { return directory_; }

  fs::path LogPath(const std::string& engine) const override {
    return directory_ / "logs" / (FileName(engine, "engine") + ".log");
  }

  void Append(const Event& event) override {
    const std::string line = DumpJson(ToJson(Bounded(Rebase(event, clock_base_)))) + '\n';
    AppendTo(events_, line);
  }

  void Append(std::span<const Sample> samples) override {
    const std::lock_guard lock(samples_mutex_);
    const std::string lines = sample_lines_.Format(samples, clock_base_);
    if (!lines.empty()) AppendTo(samples_, lines);
  }

  void OnError(std::function<void(const Error&)> report) override {
    const std::lock_guard lock(mutex_);
    report_ = std::move(report);
  }

  Result<> UpdateHeader(const Header& header) override {
    Header fixed = header;
    fixed.clock_base = clock_base_;
    const std::lock_guard lock(mutex_);
    return WriteFileAtomic(directory_ / "run.json", DumpJson(ToJson(fixed), 2) + '\n');
  }

  Result<> Close() override {
    const std::lock_guard lock(mutex_);
    const Result<> events = events_.Close();
    const Result<> samples = samples_.Close();
    return events ? samples : events;
  }

 private:
  void AppendTo(Appender& file, const std::string& line) {
    std::function<void(const Error&)> report;
    Result<> status;
    {
      const std::lock_guard lock(mutex_);
      file.Append(line);
      status = file.status();
      if (!status) report = std::exchange(report_, nullptr);
    }
    if (report) report(status.error());
  }

  const fs::path directory_;
  const Nanos clock_base_;
  std::mutex samples_mutex_;  // guards sample_lines_, so that units come before their values
  SampleLines sample_lines_;
  std::mutex mutex_;
  Appender events_, samples_;                 // guarded by mutex_
  std::function<void(const Error&)> report_;  // guarded by mutex_; empty once called
};

// The folder named by --out: made if missing, refused if it holds anything.
Result<fs::path> UseDirectory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return InputError("{}: {}; choose another --out", directory.string(), error.message());
  const bool empty = fs::is_empty(directory, error);
  if (error) return InputError("{}: {}; choose another --out", directory.string(), error.message());
  if (!empty)
    return InputError("{}: is not empty; choose a new folder with --out", directory.string());
  return directory;
}

Result<fs::path> MakeDirectory(const fs::path& parent, const std::string& name) {
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) return InputError("{}: {}; choose another --out", parent.string(), error.message());
  std::random_device random;
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    const fs::path path = parent / fmt::format("{}-{}-{:06x}", FileName(name, "run"),
                                               UtcNowCompact(), random() & 0xFFFFFFu);
    if (fs::create_directory(path, error)) return path;
    if (error) return InputError("{}: {}; choose another --out", path.string(), error.message());
  }
  return cbench::Failure("{}: no free name for a record", parent.string());
}

}  // namespace

Result<std::unique_ptr<Writer>> Writer::Create(const fs::path& parent, const fs::path& directory,
                                               Header header) {
  CBENCH_ASSIGN(fs::path path,
                directory.empty() ? MakeDirectory(parent, header.name) : UseDirectory(directory));
  auto writer = std::make_unique<FileWriter>(std::move(path), header.clock_base);
  CBENCH_TRY(writer->Open(header));
  return writer;
}

}  // namespace cbench::record
