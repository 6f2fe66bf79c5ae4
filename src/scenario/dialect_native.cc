// The native dialect: consumerbench, name, strategy, repeat, engines, apps, workflow.
#include "base/limits.h"
#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

constexpr int kVersion = 1;

Result<> ReadVersion(std::string_view, const Node& value) {
  if (value.text == fmt::to_string(kVersion)) return {};
  return ErrorAt(value.mark, "unknown format version {}; this cbench reads consumerbench: {}",
                 Describe(value), kVersion);
}

Result<> ReadTask(const Entry& entry, Draft& draft) {
  TaskDraft task;
  task.spec.name = entry.key;
  task.spec.mark = entry.mark;
  const std::string what = fmt::format("task {}", Quote(entry.key));
  CBENCH_TRY(ReadMap(entry.value, what,
                     {{"app", Text(task.spec.app)},
                      {"requests", Integer(task.spec.requests, 1, 1'000'000)},
                      {"after", Names(task.spec.after, &task.after_marks)}}));
  const Entry* app = entry.value.Find("app");
  if (!app) return ErrorAt(entry.mark, "{} has no app; add app: NAME, one of apps:", what);
  task.app_mark = app->value.mark;
  draft.tasks.push_back(std::move(task));
  return {};
}

template <typename EntryReader>
Read Each(EntryReader read_entry) {
  return [read_entry](std::string_view key, const Node& map) -> Result<> {
    CBENCH_TRY(WantMap(map, key));
    for (const Entry& entry : map.entries) CBENCH_TRY(read_entry(entry));
    return {};
  };
}

Fields NativeFields(Draft& draft) {
  Scenario& scenario = draft.scenario;
  return {{"consumerbench", Ignore()},
          {"name", Identifier(scenario.name)},
          {"strategy", Strategies(scenario.strategies)},
          {"repeat", Integer(scenario.repeat, 1, limits::kRepetitions)},
          {"exclusive_baseline", Bool(scenario.exclusive_baseline)},
          {"warmup", Integer(scenario.warmup, 0, 1000)},
          {"seed", Unsigned(scenario.seed)},
          {"engines", Each([&draft](const Entry& entry) -> Result<> {
             CBENCH_ASSIGN(EngineDraft engine, ReadEngine(entry));
             draft.engines.push_back(std::move(engine));
             return {};
           })},
          {"apps", Each([&draft](const Entry& entry) -> Result<> {
             CBENCH_ASSIGN(AppDraft app,
                           ReadApp(entry.key, entry.mark, entry.value, Dialect::kNative));
             draft.apps.push_back(std::move(app));
             return {};
           })},
          {"workflow", Each([&draft](const Entry& entry) { return ReadTask(entry, draft); })}};
}

}  // namespace

Read Strategies(std::vector<Strategy>& out) {
  return [&out](std::string_view key, const Node& value) -> Result<> {
    std::vector<std::string> names;
    CBENCH_TRY(Names(names, nullptr)(key, value));
    auto strategies = ParseStrategies(fmt::format("{}", fmt::join(names, ",")));
    if (!strategies) return ErrorAt(value.mark, "{}", strategies.error().message);
    out = std::move(*strategies);
    return {};
  };
}

Result<> ReadNative(const Node& root, Draft& draft) {
  draft.scenario.dialect = Dialect::kNative;
  // First of all: what another version's keys mean is not ours to say.
  CBENCH_TRY(ReadVersion("consumerbench", root.Find("consumerbench")->value));
  CBENCH_TRY(ReadMap(root, "a scenario", NativeFields(draft)));
  for (const std::string_view key : {"apps", "workflow"}) {
    if (!root.Find(key)) return ErrorAt(root.mark, "the scenario has no {}: section; add it", key);
  }
  return {};
}

}  // namespace cbench::scenario
