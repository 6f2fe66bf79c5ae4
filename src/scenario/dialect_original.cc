// The original ConsumerBench's dialect: one top-level section an app, then workflows: with the
// tasks. It names models, not engines; derive.cc makes the engines.
#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

Result<> ReadTask(const Entry& entry, Draft& draft) {
  TaskDraft task;
  task.spec.name = entry.key;
  task.spec.mark = entry.mark;
  const std::string what = fmt::format("task {}", Quote(entry.key));
  const Read after = Names(task.spec.after, &task.after_marks);
  CBENCH_TRY(ReadMap(entry.value, what,
                     {{"uses", Text(task.spec.app)},
                      {"depend_on", after},
                      {"depends_on", after},
                      {"requests", Integer(task.spec.requests, 1, 1'000'000)},
                      {"num_requests", Integer(task.spec.requests, 1, 1'000'000)},
                      {"background", Bool(task.background)}},
                     Nulls::kUnset));
  const Entry* uses = entry.value.Find("uses");
  if (!uses || task.spec.app.empty()) {
    return ErrorAt(entry.mark, "{} names no app; add uses: APP", what);
  }
  task.app_mark = uses->value.mark;
  draft.tasks.push_back(std::move(task));
  return {};
}

}  // namespace

Result<> ReadOriginal(const Node& root, Draft& draft) {
  draft.scenario.dialect = Dialect::kOriginal;
  for (const Entry& entry : root.entries) {
    if (entry.key == "workflows") continue;
    CBENCH_ASSIGN(AppDraft app, ReadApp(entry.key, entry.mark, entry.value, Dialect::kOriginal));
    draft.apps.push_back(std::move(app));
  }
  const Node& workflows = root.Find("workflows")->value;
  CBENCH_TRY(WantMap(workflows, "workflows"));
  for (const Entry& entry : workflows.entries) CBENCH_TRY(ReadTask(entry, draft));
  DeriveEngines(draft);
  return {};
}

}  // namespace cbench::scenario
