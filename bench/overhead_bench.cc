// What the harness itself costs, and what a demo run costs in all: measures the monitor
// (overhead_monitor.cc), then runs the content-creation workflow once, as `make demo` does, and
// watches the process tree from outside.
//
//   memory        sum of PSS over the tree (smaps_rollup), sampled every 200 ms; the peak
//   harness       its own CPU time and peak RSS, from /proc/PID/{stat,status}, over the run's
//   makespan
//   disk          the synthetic models in the cache
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/cancel.h"
#include "base/file.h"
#include "base/json.h"
#include "base/subprocess.h"
#include "embedded/model_store.h"
#include "monitor/fields.h"
#include "monitor/process_tree.h"
#include "overhead_monitor.h"

namespace cbench {
namespace {

constexpr Nanos kPeriod = 200 * kMillisecond;
constexpr Nanos kLimit = 900 * kSecond;  // models may have to be made first

std::string ProcText(int pid, const char* file) {
  return monitor::OpenReal(fmt::format("/proc/{}/{}", pid, file)).value_or("");
}

double CpuSeconds(int pid) {
  const auto stat = monitor::ParseProcessStat(ProcText(pid, "stat"));
  return stat ? stat->cpu_ticks / static_cast<double>(sysconf(_SC_CLK_TCK)) : 0;
}

double TreePss(monitor::ProcessTree& tree) {
  tree.Refresh();
  double pss = 0;
  for (const int pid : tree.pids()[0])
    pss += monitor::Field(ProcText(pid, "smaps_rollup"), "Pss:").value_or(0) * 1024;
  return pss;
}

struct Watched {
  double tree_peak = 0, harness_rss = 0, harness_cpu_s = 0, wall_s = 0;
};

Watched Watch(const Subprocess& harness) {
  Watched seen;
  const int pid = harness.pid();
  monitor::ProcessTree tree(monitor::RealSystem({{"harness", pid}}));
  const Nanos start = Now();
  for (Nanos next = start + kPeriod; !harness.WaitUntil(next) && Now() < start + kLimit;
       next += kPeriod) {
    const auto peak_rss = monitor::Field(ProcText(pid, "status"), "VmHWM:");
    seen.tree_peak = std::max(seen.tree_peak, TreePss(tree));
    seen.harness_rss = std::max(seen.harness_rss, peak_rss.value_or(0) * 1024);
    seen.harness_cpu_s = std::max(seen.harness_cpu_s, CpuSeconds(pid));
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
