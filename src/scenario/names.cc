// The words of the scenario format, one table an enum, and look-ups by name.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "scenario/scenario.h"
#include "scenario/suggest.h"

namespace cbench::scenario {
namespace {

constexpr std::array<std::string_view, 7> kAppTypes = {
    "chatbot", "deep_research", "image_gen", "live_captions", "null", "sleep", "exec"};
constexpr std::array<std::string_view, 3> kClasses = {"latency", "throughput", "background"};
constexpr std::array<std::string_view, 5> kMetrics = {"ttft", "tpot", "step", "segment", "e2e"};
constexpr std::array<std::string_view, 11> kStrategies = {
    "greedy", "tamed",           "nice",           "partition",        "fifo",           "priority",
    "credit", "credit-no-slack", "credit-no-hold", "credit-no-credit", "credit-no-split"};
constexpr std::array<std::string_view, 3> kDialects = {"native", "original", "list"};

template <typename T>
const T* FindByName(const std::vector<T>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const T& t) { return t.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string Mark::ToString() const {
  return fmt::format("{}:{}:{}", Printable(file), line, column);
}

std::string_view Name(AppType type) { return kAppTypes[static_cast<std::size_t>(type)]; }
std::string_view Name(PriorityClass c) { return kClasses[static_cast<std::size_t>(c)]; }
std::string_view Name(SloMetric metric) { return kMetrics[static_cast<std::size_t>(metric)]; }
std::string_view Name(Strategy strategy) { return kStrategies[static_cast<std::size_t>(strategy)]; }
std::string_view Name(Dialect dialect) { return kDialects[static_cast<std::size_t>(dialect)]; }

std::optional<Strategy> ParseStrategy(std::string_view name) {
  const auto found = std::find(kStrategies.begin(), kStrategies.end(), name);
  if (found == kStrategies.end()) return std::nullopt;
  return static_cast<Strategy>(found - kStrategies.begin());
}

Result<std::vector<Strategy>> ParseStrategies(std::string_view comma_list) {
  std::vector<Strategy> strategies;
  while (true) {
    const auto name = comma_list.substr(0, comma_list.find(','));
    const auto strategy = ParseStrategy(name);
    if (!strategy) {
      return InputError("unknown strategy {}; {}", Quote(name),
                        Suggest(name, std::vector(kStrategies.begin(), kStrategies.end())));
    }
    if (std::find(strategies.begin(), strategies.end(), *strategy) != strategies.end()) {
      return InputError("strategy {} is named twice; name it once", name);
    }
    strategies.push_back(*strategy);
    if (name.size() == comma_list.size()) return strategies;
    comma_list.remove_prefix(name.size() + 1);
  }
}

const EngineSpec* Scenario::FindEngine(std::string_view engine) const {
  return FindByName(engines, engine);
}
const AppSpec* Scenario::FindApp(std::string_view app) const { return FindByName(apps, app); }
const TaskSpec* Scenario::FindTask(std::string_view task) const { return FindByName(tasks, task); }

}  // namespace cbench::scenario
