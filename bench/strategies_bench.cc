// What a policy is worth on this machine: runs scenarios/strategies.yaml (three apps at once, each
// also alone), the content-creation workflow and credit without one of its parts, under one
// strategy after another, and holds `credit` against the project's goals. Takes about an hour; with
// folders of records (`strategies_bench DIR...`) it judges those instead. Exits 1 if a goal is
// missed.
//
// What is not known (too few samples, no run alone) is printed as null and is no goal met.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/json.h"
#include "base/subprocess.h"

namespace cbench {
namespace {

namespace fs = std::filesystem;
using Known = std::optional<double>;

constexpr Nanos kLimit = 5400 * kSecond;  // of one cbench run

Known At(const Json& from, const std::string& pointer) {
  const Json::json_pointer path(pointer);
  if (!from.contains(path) || !from.at(path).is_number()) return std::nullopt;
  return from.at(path).get<double>();
}

std::string Text(Known value) { return value ? fmt::format("{:.3f}", *value) : "null"; }

bool Goal(const std::string& name, Known value, const char* relation, double goal) {
  const bool ok = value && (*relation == '<' ? *value <= goal : *value >= goal);
  fmt::print("BENCH {} {} target {} {} {}\n", name, Text(value), relation, goal,
             ok ? "ok" : "short");
  return ok;
}

const Json* Find(const Json& summary, std::string_view strategy) {
  for (const Json& one : summary.at("strategies"))
    if (one.at("strategy") == strategy) return &one;
  return nullptr;
}

Known Makespan(const Json* strategy) {
  return strategy ? At(*strategy, "/makespan_s/median") : std::nullopt;
}

Known Over(Known one, Known other) {
  return one && other && *other > 0 ? Known(*one / *other) : std::nullopt;
}

// Of the apps that have an SLO.
Known WorstAttainment(const Json& strategy) {
  Known worst;
  for (const auto& app : strategy.at("apps").items()) {
    const Known attainment = At(app.value(), "/attainment");
    if (attainment) worst = std::min(worst.value_or(1), *attainment);
  }
  return worst;
}

constexpr const char* kSimple[] = {"greedy", "tamed", "nice", "partition"};

// The best that a simpler strategy reaches without letting any user down more than credit does.
Known BestSimple(const Json& summary, double attainment,
                 const std::function<Known(const Json&)>& figure, bool smaller) {
  Known best;
  for (const char* name : kSimple) {
    const Json* strategy = Find(summary, name);
    if (!strategy || WorstAttainment(*strategy).value_or(0) < attainment) continue;
    const Known value = figure(*strategy);
    if (!value) continue;
    if (!best || (smaller ? *value < *best : *value > *best)) best = value;
  }
  return best;
}

void PrintTable(const Json& summary) {
  fmt::print("{:17}{:>10}{:>9}   by app: met %, slow-down p50 / p99, requests a minute\n",
             "strategy", "makespan", "J att.");
  for (const Json& one : summary.at("strategies")) {
    fmt::print("{:17}{:>8} s{:>9}", one.at("strategy").get<std::string>(),
               Text(At(one, "/makespan_s/median")), Text(At(one, "/fairness/attainment/median")));
    for (const auto& [name, app] : one.at("apps").items()) {
      const Known met = At(app, "/attainment");
      fmt::print("   {} {}, {} / {}, {}", name, met ? fmt::format("{:.1f}", 100 * *met) : "no SLO",
                 Text(At(app, "/slowdown/p50")), Text(At(app, "/slowdown/p99")),
                 Text(At(app, "/requests_per_min")));
    }
    fmt::print("\n");
  }
}

bool JudgeThreeApps(const Json& summary, const Json& credit) {
  bool ok = true;
  for (const std::string app : {"chat", "captions"}) {
    ok &= Goal(app + "_attainment", At(credit, "/apps/" + app + "/attainment"), ">=", 0.98);
    ok &= Goal(app + "_p99_slowdown", At(credit, "/apps/" + app + "/slowdown/p99"), "<=", 1.3);
  }
  ok &= Goal("fairness", At(credit, "/fairness/attainment/median"), ">=", 0.98);
  ok &= Goal("makespan_to_greedy", At(credit, "/makespan_to_greedy"), "<=", 0.45);
  const double attainment = WorstAttainment(credit).value_or(1);
  const auto makespan = [](const Json& one) { return Makespan(&one); };
  const auto images = [](const Json& one) { return At(one, "/apps/painter/requests_per_min"); };
  // Where no simpler strategy does right by its users, there is nothing to be held against.
  if (const Known best = BestSimple(summary, attainment, makespan, true))
    ok &= Goal("makespan_to_best_simple", Over(makespan(credit), best), "<=", 1.05);
  if (const Known best = BestSimple(summary, attainment, images, false))
    ok &= Goal("images_to_best_simple", Over(images(credit), best), ">=", 0.95);
  return ok;
}

bool JudgeContentCreation(const Json& summary, const Json& credit) {
  const Known greedy = Makespan(Find(summary, "greedy"));
  const Known partition = Makespan(Find(summary, "partition"));
  const Known worse = greedy && partition ? Known(std::max(*greedy, *partition)) : std::nullopt;
  Known best;
  for (const Json& one : summary.at("strategies")) {
    const Known makespan = Makespan(&one);
    if (makespan) best = std::min(best.value_or(*makespan), *makespan);
  }
  bool ok = Goal("content_creation_to_worse", Over(Makespan(&credit), worse), "<=", 0.66);
  ok &= Goal("content_creation_to_best", Over(Makespan(&credit), best), "<=", 1.05);
  return ok & Goal("content_creation_attainment", WorstAttainment(credit), ">=", 0.95);
}

bool Judge(const fs::path& record) {
  const auto text = ReadFile(record / "summary.json");
  const auto summary = text ? ParseJson(*text, "summary.json") : tl::unexpected(text.error());
  if (!summary) return fmt::print(stderr, "{}\n", summary.error().message), false;
  fmt::print("\n{}: {}\n", summary->at("scenario").get<std::string>(), record.string());
  PrintTable(*summary);
  const Json* credit = Find(*summary, "credit");
  if (!credit) return fmt::print(stderr, "no run under credit in {}\n", record.string()), false;
  if (Find(*summary, "credit-no-slack")) return true;  // ablations explain, they have no goal
  return summary->at("scenario") == "content-creation" ? JudgeContentCreation(*summary, *credit)
                                                       : JudgeThreeApps(*summary, *credit);
}

// Runs a scenario; its record goes to `out`.
bool Measure(const char* scenario, const fs::path& out, const std::vector<std::string>& options) {
  SubprocessOptions child;
  child.argv = {SelfPath().parent_path() / "cbench", "run", HomeDir() / "scenarios" / scenario,
                "--out", out};
  child.argv.insert(child.argv.end(), options.begin(), options.end());
  child.log = out.string() + ".log";
  fmt::print(stderr, "running {}; progress: {}\n", scenario, child.log.string());
  auto run = Subprocess::Start(child);
  if (!run) return fmt::print(stderr, "{}\n", run.error().message), false;
  return (*run)->WaitUntil(Now() + kLimit);
}

std::vector<fs::path> MeasureAll() {
  const auto folder = HomeDir() / "runs" / fmt::format("bench-strategies-{}", getpid());
  fs::create_directories(folder);
  const std::vector<fs::path> records = {folder / "three-apps", folder / "content-creation",
                                         folder / "ablations"};
  const bool all =
      Measure("strategies.yaml", records[0], {}) &&
      Measure("content_creation.yaml", records[1],
              {"--strategy", "greedy,tamed,nice,partition,credit", "--repeat", "3"}) &&
      Measure(
          "strategies.yaml", records[2],
          {"--strategy", "credit,credit-no-slack,credit-no-hold,credit-no-credit,credit-no-split",
           "--repeat", "3", "--exclusive-baseline"});
  return all ? records : std::vector<fs::path>{};
}

int Run(std::vector<fs::path> records) {
  if (records.empty()) records = MeasureAll();
  bool ok = !records.empty();
  for (const auto& record : records) ok &= Judge(record);
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace cbench

int main(int argc, char** argv) {
  return cbench::Run(std::vector<std::filesystem::path>(argv + 1, argv + argc));
}
