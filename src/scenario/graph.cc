// The workflow as a graph: every `after` names another task, and no task waits for itself.
#include <algorithm>
#include <map>
#include <set>

#include "scenario/draft.h"

namespace cbench::scenario {
namespace {

using Index = std::map<std::string_view, std::size_t>;

std::vector<std::string_view> TaskNames(const std::vector<TaskDraft>& tasks) {
  std::vector<std::string_view> names;
  for (const TaskDraft& task : tasks) names.push_back(task.spec.name);
  return names;
}

Result<> CheckAfter(const std::vector<TaskDraft>& tasks, const Index& index,
                    const TaskDraft& task) {
  const auto& after = task.spec.after;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Mark& mark = task.after_marks[i];
    if (after[i] == task.spec.name) {
      return ErrorAt(mark, "task {} waits for itself; remove it", Quote(after[i]));
    }
    if (!index.contains(after[i])) {
      return ErrorAt(mark, "task {} waits for {}, which is no task; {}", Quote(task.spec.name),
                     Quote(after[i]), Suggest(after[i], TaskNames(tasks)));
    }
    if (std::find(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(i), after[i]) !=
        after.begin() + static_cast<std::ptrdiff_t>(i)) {
      return ErrorAt(mark, "task {} names {} twice; keep one", Quote(task.spec.name),
                     Quote(after[i]));
    }
  }
  return {};
}

// Kahn's algorithm, always taking the first ready task in file order. Positions of the tasks that
// can run; fewer than there are if some wait in a circle.
template <typename AfterOf>
std::vector<std::size_t> Order(std::size_t count, const Index& index, AfterOf after_of) {
  std::vector<std::size_t> waits(count), order;
  std::vector<std::vector<std::size_t>> followers(count);
  for (std::size_t i = 0; i < count; ++i) {
    waits[i] = after_of(i).size();
    for (const std::string& name : after_of(i)) followers[index.at(name)].push_back(i);
  }
  std::set<std::size_t> ready;
  for (std::size_t i = 0; i < count; ++i) {
    if (waits[i] == 0) ready.insert(i);
  }
  while (!ready.empty()) {
    const std::size_t next = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(next);
    for (const std::size_t follower : followers[next]) {
      if (--waits[follower] == 0) ready.insert(follower);
    }
  }
  return order;
}

// Every task that is left waits for another that is left, so going back must close a circle.
Error DescribeCycle(const std::vector<TaskDraft>& tasks, const Index& index,
                    const std::vector<std::size_t>& order) {
  std::vector<bool> done(tasks.size());
  for (const std::size_t i : order) done[i] = true;
  std::size_t at = 0;
  while (done[at]) ++at;
  std::vector<std::size_t> path;
  while (std::find(path.begin(), path.end(), at) == path.end()) {
    path.push_back(at);
    const auto& after = tasks[at].spec.after;
    at = index.at(*std::find_if(after.begin(), after.end(),
                                [&](const std::string& name) { return !done[index.at(name)]; }));
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), at));
  std::string circle;
  for (const std::size_t i : path) circle += Quote(tasks[i].spec.name) + " waits for ";
  circle += Quote(tasks[at].spec.name);
  return ErrorAt(tasks[at].after_marks.front(), "the tasks wait in a circle: {}; break it", circle)
      .value();
}

template <typename Tasks, typename SpecOf>
Index MakeIndex(const Tasks& tasks, SpecOf spec_of) {
  Index index;
  for (std::size_t i = 0; i < tasks.size(); ++i) index[spec_of(tasks[i]).name] = i;
  return index;
}

}  // namespace

Result<> CheckGraph(const std::vector<TaskDraft>& tasks) {
  const Index index =
      MakeIndex(tasks, [](const TaskDraft& t) -> const TaskSpec& { return t.spec; });
  for (const TaskDraft& task : tasks) CBENCH_TRY(CheckAfter(tasks, index, task));
  const auto order =
      Order(tasks.size(), index, [&](std::size_t i) -> auto& { return tasks[i].spec.after; });
  if (order.size() == tasks.size()) return {};
  return tl::unexpected(DescribeCycle(tasks, index, order));
}

std::vector<const TaskSpec*> TopologicalOrder(const Scenario& scenario) {
  const auto& tasks = scenario.tasks;
  const Index index = MakeIndex(tasks, [](const TaskSpec& t) -> const TaskSpec& { return t; });
  std::vector<const TaskSpec*> sorted;
  for (const std::size_t i :
       Order(tasks.size(), index, [&](std::size_t k) -> auto& { return tasks[k].after; })) {
    sorted.push_back(&tasks[i]);
  }
  return sorted;
}

}  // namespace cbench::scenario
