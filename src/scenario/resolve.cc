// From drafts to a Scenario: every reference is checked, and what depends on several parts
// (classes of background tasks, slots of shared engines, places of model files) is filled in.
#include <algorithm>

#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

template <typename Draft>
const Draft* FindDraft(const std::vector<Draft>& drafts, std::string_view name) {
  const auto found = std::find_if(drafts.begin(), drafts.end(),
                                  [&](const Draft& d) { return d.spec.name == name; });
  return found == drafts.end() ? nullptr : &*found;
}

template <typename Draft>
std::vector<std::string_view> NamesOf(const std::vector<Draft>& drafts) {
  std::vector<std::string_view> names;
  for (const Draft& draft : drafts) names.push_back(draft.spec.name);
  return names;
}

// Names end up in tables, file names and traces.
template <typename Draft>
Result<> CheckNames(std::string_view kind, const std::vector<Draft>& drafts) {
  constexpr std::size_t kLongest = 100;
  for (const Draft& draft : drafts) {
    const std::string& name = draft.spec.name;
    const bool control = std::any_of(name.begin(), name.end(),
                                     [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (!control && name.size() <= kLongest) continue;
    return ErrorAt(draft.spec.mark, "{} name {} is over {} bytes long or not one line; shorten it",
                   kind, Quote(name), kLongest);
  }
  return {};
}

Result<> CheckEngineOf(const AppDraft& app, const std::vector<EngineDraft>& engines) {
  const AppSpec& spec = app.spec;
  const auto needed = EmbeddedEngineFor(spec.type);
  if (needed.empty()) return {};
  if (spec.engine.empty()) {
    return ErrorAt(spec.mark,
                   "app {} ({}) has no engine; add engine: NAME, one of engines:", Quote(spec.name),
                   Name(spec.type));
  }
  const EngineDraft* engine = FindDraft(engines, spec.engine);
  if (!engine) {
    const std::string advice =
        engines.empty() ? "there is no engines: section" : Suggest(spec.engine, NamesOf(engines));
    return ErrorAt(app.engine_mark, "app {} names engine {}, which is not there; {}",
                   Quote(spec.name), Quote(spec.engine), advice);
  }
  if (engine->spec.IsEmbedded() && engine->spec.use != needed) {
    return ErrorAt(app.engine_mark, "app {} ({}) cannot use engine {} ({}); name one with use: {}",
                   Quote(spec.name), Name(spec.type), Quote(spec.engine), engine->spec.use, needed);
  }
  return {};
}

Result<> CheckAppOf(const TaskDraft& task, const std::vector<AppDraft>& apps) {
  if (FindDraft(apps, task.spec.app)) return {};
  return ErrorAt(task.app_mark, "task {} uses app {}, which is not there; {}",
                 Quote(task.spec.name), Quote(task.spec.app),
                 Suggest(task.spec.app, NamesOf(apps)));
}

Result<> CheckReferences(const Draft& draft) {
  CBENCH_TRY(CheckNames("app", draft.apps));
  CBENCH_TRY(CheckNames("task", draft.tasks));
  for (const AppDraft& app : draft.apps) CBENCH_TRY(CheckEngineOf(app, draft.engines));
  for (const TaskDraft& task : draft.tasks) CBENCH_TRY(CheckAppOf(task, draft.apps));
  if (draft.tasks.empty()) {
    return InputError("{}:1:1: the workflow has no task; add one, like t: {{app: NAME}}",
                      draft.scenario.path.string());
  }
  return CheckGraph(draft.tasks);
}

AppSpec& AppOf(Draft& draft, const TaskDraft& task) {
  return std::find_if(draft.apps.begin(), draft.apps.end(),
                      [&](const AppDraft& a) { return a.spec.name == task.spec.app; })
      ->spec;
}

void FillTasks(Draft& draft) {
  for (TaskDraft& task : draft.tasks) {
    AppSpec& app = AppOf(draft, task);
    if (task.spec.requests == 0) task.spec.requests = app.requests;
    if (task.background) app.priority_class = PriorityClass::kBackground;
  }
}

// Unless stated, a text engine has a slot for each app that uses it: apps would not queue behind
// each other in real servers either. Speech and image engines compute one request at a time.
void FillSlots(Draft& draft) {
  for (EngineDraft& engine : draft.engines) {
    if (engine.spec.parallel > 0) continue;
    const auto users = std::count_if(draft.apps.begin(), draft.apps.end(), [&](const AppDraft& a) {
      return a.spec.engine == engine.spec.name;
    });
    const bool one_at_a_time =
        engine.spec.use == "embedded-speech" || engine.spec.use == "embedded-image";
    engine.spec.parallel = one_at_a_time ? 1 : std::max(1, static_cast<int>(users));
  }
}

void FindModelFiles(Draft& draft) {
  for (EngineDraft& engine : draft.engines) {
    if (!IsModelFile(engine.spec)) continue;
    const auto path = FindModel(draft.scenario.path, engine.spec.model);
    if (!path.empty()) engine.spec.model = path.string();
  }
}

template <typename Spec, typename Draft>
std::vector<Spec> SpecsOf(std::vector<Draft> drafts) {
  std::vector<Spec> specs;
  for (Draft& draft : drafts) specs.push_back(std::move(draft.spec));
  return specs;
}

}  // namespace

Result<Scenario> Resolve(Draft draft, const LoadOptions& options) {
  CBENCH_TRY(CheckReferences(draft));
  FillTasks(draft);
  FillSlots(draft);
  if (options.synthetic != Synthetic::kOff) UseSyntheticTwins(draft, options.synthetic);
  CBENCH_TRY(CheckSyntheticModels(draft.engines));
  FindModelFiles(draft);
  Scenario scenario = std::move(draft.scenario);
  scenario.engines = SpecsOf<EngineSpec>(std::move(draft.engines));
  scenario.apps = SpecsOf<AppSpec>(std::move(draft.apps));
  scenario.tasks = SpecsOf<TaskSpec>(std::move(draft.tasks));
  return scenario;
}

}  // namespace cbench::scenario
