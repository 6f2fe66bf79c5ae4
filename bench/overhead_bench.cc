// What the harness itself costs, and what a demo run costs in all: measures the monitor
// (overhead_monitor.cc), then runs the content-creation workflow once, as `make demo` does, and
// watches the process tree from outside.
//
//   memory        sum of PSS over the tree (smaps_rollup), sampled every 200 ms; the peak
//   harness       its own CPU time and peak RSS, from /proc/PID/{stat,status}, over the run's
//   makespan
//   disk          the synthetic models in the cache
#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "base/cancel.h"
#include "base/file.h"
#include "base/json.h"
#include "base/subprocess.h"
#include "embedded/model_store.h"
#include "overhead_monitor.h"

namespace cbench {
namespace {

constexpr Nanos kPeriod = 200 * kMillisecond;
constexpr Nanos kLimit = 900 * kSecond;  // models may have to be made first

std::string Slurp(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// "Key:   123 kB" of a /proc file, in bytes.
double KilobyteField(const std::string& text, const std::string& key) {
  const auto at = text.find(key);
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + key.size(), nullptr) * 1024;
}

struct Process {
  int parent = 0;
  double cpu_s = 0;
};

// Fields 4 (parent), 14 and 15 (user and system ticks) of /proc/PID/stat, after the command's ")".
Process ReadProcess(int pid) {
  const std::string stat = Slurp(fmt::format("/proc/{}/stat", pid));
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 2)));
  std::string word;
  Process process;
  double user = 0, system = 0;
  fields >> word >> process.parent;
  for (int field = 5; field < 14; ++field) fields >> word;
  fields >> user >> system;
  process.cpu_s = (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return process;
}

double TreePss(int root) {
  double pss = 0;
  DIR* proc = opendir("/proc");
  for (dirent* entry = nullptr; proc && (entry = readdir(proc));) {
    const int pid = std::atoi(entry->d_name);
    if (pid <= 0 || (pid != root && ReadProcess(pid).parent != root)) continue;
    pss += KilobyteField(Slurp(fmt::format("/proc/{}/smaps_rollup", pid)), "\nPss:");
  }
  if (proc) closedir(proc);
  return pss;
}

struct Watched {
  double tree_peak = 0, harness_rss = 0, harness_cpu_s = 0, wall_s = 0;
};

Watched Watch(const Subprocess& harness) {
  Watched seen;
  const Nanos start = Now();
  for (Nanos next = start + kPeriod; !harness.WaitUntil(next) && Now() < start + kLimit;
       next += kPeriod) {
    seen.tree_peak = std::max(seen.tree_peak, TreePss(harness.pid()));
    seen.harness_rss =
        std::max(seen.harness_rss,
                 KilobyteField(Slurp(fmt::format("/proc/{}/status", harness.pid())), "VmHWM:"));
    seen.harness_cpu_s = std::max(seen.harness_cpu_s, ReadProcess(harness.pid()).cpu_s);
  }
  seen.wall_s = ToSeconds(Now() - start);
  return seen;
}

double ModelsOnDisk() {
  double bytes = 0;
  for (const auto& model : embedded::ListCachedModels()) {
    if (model.name.ends_with("-demo")) bytes += static_cast<double>(model.bytes);
  }
  return bytes;
}

bool BenchDemo() {
  const auto home = HomeDir();
  const auto out =
      std::filesystem::temp_directory_path() / fmt::format("cbench-overhead-{}", getpid());
  SubprocessOptions options;
  options.argv = {SelfPath().parent_path() / "cbench", "run",
                  home / "scenarios" / "content_creation.yaml", "--out", out};
  options.log = out.string() + ".log";
  auto harness = Subprocess::Start(options);
  if (!harness) return fmt::print(stderr, "{}\n", harness.error().message), false;
  const Watched seen = Watch(**harness);

  const auto text = ReadFile(out / "summary.json");
  const auto summary = text ? ParseJson(*text, "summary.json") : tl::unexpected(text.error());
  if (!summary) return fmt::print(stderr, "no summary: see {}\n", options.log.string()), false;
  const Json& makespan = summary->at("runs").at(0).at("makespan_s");
  const double makespan_s = makespan.is_number() ? makespan.get<double>() : 0;

  bool ok = PrintAtMost("demo_run", seen.wall_s, "s", 180);
  ok &= PrintAtMost("demo_memory", seen.tree_peak / 1048576, "MiB", 3072);
  ok &= PrintAtMost("demo_models_on_disk", ModelsOnDisk() / 1048576, "MiB", 2048);
  ok &= PrintAtMost("harness_memory", seen.harness_rss / 1048576, "MiB", 64);
  ok &= PrintAtMost("harness_cpu", makespan_s > 0 ? 100 * seen.harness_cpu_s / makespan_s : 0,
                    "%_of_a_core", 3);
  std::filesystem::remove_all(out);
  std::filesystem::remove(options.log);
  return ok;
}

}  // namespace
}  // namespace cbench

// `overhead_bench monitor` measures the monitor alone.
int main(int argc, char** argv) {
  const bool monitor = cbench::BenchMonitor();
  const bool all = argc < 2 || std::string_view(argv[1]) != "monitor";
  const bool demo = !all || cbench::BenchDemo();
  return monitor && demo ? 0 : 1;
}
