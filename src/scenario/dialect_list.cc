// The short list form: one workflow whose tasks stand in a list and carry their app themselves:
//   content_creation:
//     tasks:
//       - {type: Chatbot, model: …, slo: [TTFT1s, TPOT0.25s], depends_on: []}
// A task is called by its name, else its id, else its type (with _2, _3 … for further ones).
// depends_on refers, in this order, to a name or id, to a type that only one task has, or to a
// position in the list, from 0.
#include <algorithm>
#include <charconv>

#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

struct Listed {
  TaskDraft task;
  std::string name, id, type;  // as stated; type resolved
};

bool IsTaken(const std::vector<Listed>& tasks, std::string_view name) {
  return std::any_of(tasks.begin(), tasks.end(),
                     [&](const Listed& t) { return t.task.spec.name == name; });
}

Result<std::string> ChooseName(const std::vector<Listed>& before, const Listed& listed) {
  const std::string& stated = listed.name.empty() ? listed.id : listed.name;
  if (!stated.empty() && IsTaken(before, stated)) {
    return ErrorAt(listed.task.spec.mark, "two tasks are called {}; rename one", Quote(stated));
  }
  if (!stated.empty()) return stated;
  std::string name = listed.type;
  for (int n = 2; IsTaken(before, name); ++n) name = fmt::format("{}_{}", listed.type, n);
  return name;
}

Result<> ReadTask(const Node& item, std::vector<Listed>& all, Draft& draft) {
  Listed listed;
  TaskDraft& task = listed.task;
  const Read after = Names(task.spec.after, &task.after_marks);
  CBENCH_ASSIGN(AppDraft app,
                ReadApp(fmt::format("tasks[{}]", all.size()), item.mark, item, Dialect::kList,
                        {{"name", Text(listed.name)},
                         {"id", Text(listed.id)},
                         {"depends_on", after},
                         {"depend_on", after},
                         {"after", after},
                         {"background", Bool(task.background)}}));
  listed.type = Name(app.spec.type);
  task.spec.mark = task.app_mark = item.mark;
  CBENCH_ASSIGN(task.spec.name, ChooseName(all, listed));
  app.spec.name = task.spec.app = task.spec.name;
  draft.apps.push_back(std::move(app));
  all.push_back(std::move(listed));
  return {};
}

const Listed* ByNameOrId(const std::vector<Listed>& all, std::string_view word) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Listed& t) {
    return t.task.spec.name == word || t.id == word;
  });
  return found == all.end() ? nullptr : &*found;
}

// Null if no task or more than one is of the type.
const Listed* ByType(const std::vector<Listed>& all, std::string_view word) {
  const auto type = ParseAppType(word);
  const auto is = [&](const Listed& t) { return type && t.type == Name(*type); };
  if (std::count_if(all.begin(), all.end(), is) != 1) return nullptr;
  return &*std::find_if(all.begin(), all.end(), is);
}

const Listed* ByPosition(const std::vector<Listed>& all, const std::string& word) {
  std::size_t position = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), position);
  const bool whole = error == std::errc() && end == word.data() + word.size();
  return whole && position < all.size() ? &all[position] : nullptr;
}

Result<> ResolveAfter(const std::vector<Listed>& all, TaskDraft& task) {
  for (std::size_t i = 0; i < task.spec.after.size(); ++i) {
    std::string& word = task.spec.after[i];
    const Listed* target = ByNameOrId(all, word);
    if (!target) target = ByType(all, word);
    if (!target) target = ByPosition(all, word);
    if (!target && ParseAppType(word)) {
      return ErrorAt(task.after_marks[i],
                     "depends_on: {} is the type of no task or of several; write the task's name",
                     Quote(word));
    }
    if (target) word = target->task.spec.name;  // else resolve.cc says so
  }
  return {};
}

}  // namespace

Result<> ReadList(const Node& root, Draft& draft) {
  const Entry& workflow = root.entries.front();
  draft.scenario.dialect = Dialect::kList;
  draft.scenario.name = WithoutStrangeLetters(workflow.key);
  std::vector<Listed> all;
  const Read tasks = [&](std::string_view key, const Node& list) -> Result<> {
    if (list.kind != Node::Kind::kList) {
      return ErrorAt(list.mark, "{} wants a list, not {}", key, Describe(list));
    }
    for (const Node& item : list.items) CBENCH_TRY(ReadTask(item, all, draft));
    return {};
  };
  Scenario& scenario = draft.scenario;
  CBENCH_TRY(ReadMap(workflow.value, fmt::format("workflow {}", Quote(workflow.key)),
                     {{"tasks", tasks},
                      {"strategy", Strategies(scenario.strategies)},
                      {"repeat", Integer(scenario.repeat, 1, 1000)},
                      {"warmup", Integer(scenario.warmup, 0, 1000)},
                      {"seed", Unsigned(scenario.seed)}}));
  for (const Listed& listed : all) {
    draft.tasks.push_back(listed.task);
    CBENCH_TRY(ResolveAfter(all, draft.tasks.back()));
  }
  DeriveEngines(draft);
  return {};
}

}  // namespace cbench::scenario
