// Runs the sampler as a run does, at its default rate, with every probe that this device has, into
// a real record, watching this process and three others, while nothing else happens here:
//
//   monitor_cpu          CPU time of this process, which does nothing else, over the time it took
//   monitor_memory       growth of this process's own (anonymous) memory to its end
//   sample_time_error    how far the readings of `cpu` are from their fixed distance; p99
#include "overhead_monitor.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <vector>

#include "base/cancel.h"
#include "base/subprocess.h"
#include "monitor/fields.h"
#include "monitor/sampler.h"
#include "record/reader.h"

namespace cbench {
namespace {

constexpr Nanos kDuration = 30 * kSecond;
constexpr int kEngines = 3;

double OwnMemory() {
  const auto status = monitor::OpenReal("/proc/self/status").value_or("");
  return monitor::Field(status, "RssAnon:").value_or(0) * 1024;
}

double ProcessCpu() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return ToSeconds(now.tv_sec * kSecond + now.tv_nsec);
}

std::vector<std::unique_ptr<Subprocess>> StartEngines() {
  std::vector<std::unique_ptr<Subprocess>> engines;
  for (int i = 0; i < kEngines; ++i) {
    SubprocessOptions options;
    options.argv = {"sleep", "600"};
    if (auto engine = Subprocess::Start(std::move(options))) engines.push_back(std::move(*engine));
  }
  return engines;
}

std::vector<monitor::WatchedProcess> Watched(
    const std::vector<std::unique_ptr<Subprocess>>& engines) {
  std::vector<monitor::WatchedProcess> watched = {{"harness", getpid()}};
  for (const auto& engine : engines)
    watched.push_back({fmt::format("engine{}", watched.size()), engine->pid()});
  return watched;
}

// p99 of how much later than the most punctual one each reading was, in seconds. Which reading is
// which is known from its time: a missed one is none.
double TimeError(const std::filesystem::path& record, Nanos period) {
  std::vector<Nanos> late;
  Nanos first = 0;
  const auto read = record::ReadSamples(record, [&](const record::Sample& sample) {
    if (sample.probe != "cpu" || sample.name != "busy") return;
    if (late.empty()) first = sample.t;
    const auto tick =
        std::lround(static_cast<double>(sample.t - first) / static_cast<double>(period));
    late.push_back(sample.t - first - tick * period);
  });
  if (!read || late.empty()) return std::numeric_limits<double>::infinity();
  std::sort(late.begin(), late.end());
  return ToSeconds(late[(late.size() * 99 - 1) / 100] - late.front());
}

}  // namespace

bool PrintAtMost(const char* name, double value, const char* unit, double target) {
  const bool ok = value > 0 && value <= target;
  fmt::print("BENCH {} {:.3f} {} target <= {} {}\n", name, value, unit, target,
             ok ? "ok" : "short");
  return ok;
}

bool BenchMonitor() {
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("cbench-monitor-{}", getpid());
  record::Header header;
  header.clock_base = Now();
  auto writer = record::Writer::Create({}, path, header);
  if (!writer) return fmt::print(stderr, "{}\n", writer.error().message), false;
  const auto engines = StartEngines();
  const double memory_before = OwnMemory(), cpu_before = ProcessCpu();
  const Nanos start = Now();
  double memory = 0;
  {
    const monitor::Sampler sampler(**writer, monitor::RealSystem(Watched(engines)));
    Cancel().WaitUntil(start + kDuration);
    memory = OwnMemory() - memory_before;
  }
  const double cpu = (ProcessCpu() - cpu_before) / ToSeconds(Now() - start);
  const double error = TimeError(path, FromSeconds(1 / monitor::kDefaultRate));
  std::filesystem::remove_all(path);
  bool ok = PrintAtMost("monitor_cpu", 100 * cpu, "%_of_a_core", 1);
  ok &= PrintAtMost("monitor_memory", memory / 1048576, "MiB", 8);
  ok &= PrintAtMost("sample_time_error", 1e3 * error, "ms", 2);
  return ok;
}

}  // namespace cbench
