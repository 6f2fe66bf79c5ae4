#include "run/dag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <map>
#include <mutex>

namespace cbench::run {
namespace {

using scenario::Scenario;
using scenario::TaskSpec;

Scenario Workflow(const std::vector<std::pair<std::string, std::vector<std::string>>>& tasks) {
  Scenario scenario;
  scenario.apps.emplace_back().name = "app";
  for (const auto& [name, after] : tasks) {
    TaskSpec task;
    task.name = name;
    task.app = "app";
    task.requests = 1;
    task.after = after;
    scenario.tasks.push_back(task);
  }
  return scenario;
}

// Runs a workflow and keeps the order in which tasks began and ended.
struct Trace {
  explicit Trace(const Scenario& s) : scenario(s), plan(MakePlan(s)) {}

  void Run() {
    states = RunDag(
        plan, cancel,
        [this](std::size_t i) {
          Note("+" + plan[i].task->name);
          const TaskState state = body ? body(plan[i].task->name) : TaskState::kFinished;
          Note("-" + plan[i].task->name);
          return state;
        },
        [this](std::size_t i, TaskState state) {
          Note(std::string(Name(state)) + " " + plan[i].task->name);
        });
  }
  void Note(const std::string& what) {
    const std::lock_guard lock(mutex);
    at[what] = order.size();
    order.push_back(what);
  }
  bool Before(const std::string& a, const std::string& b) { return at.at(a) < at.at(b); }

  const Scenario& scenario;
  Plan plan;
  Cancel cancel;
  std::function<TaskState(const std::string&)> body;
  std::mutex mutex;
  std::vector<std::string> order;
  std::map<std::string, std::size_t> at;
  std::vector<TaskState> states;
};

TEST(Dag, EmptyPlanEnds) {
  const Scenario scenario = Workflow({});
  Trace trace(scenario);
  trace.Run();
  EXPECT_TRUE(trace.states.empty());
}

TEST(Dag, TasksFollowAllTheyWaitFor) {
  const Scenario scenario = Workflow({{"outline", {"analysis", "brainstorm"}},
                                      {"analysis", {}},
                                      {"brainstorm", {}},
                                      {"cover", {"outline"}},
                                      {"captions", {"outline"}}});
  Trace trace(scenario);
  trace.Run();
  for (const char* first : {"-analysis", "-brainstorm"})
    EXPECT_TRUE(trace.Before(first, "+outline"));
  for (const char* last : {"+cover", "+captions"}) EXPECT_TRUE(trace.Before("-outline", last));
  EXPECT_THAT(trace.states, testing::Each(TaskState::kFinished));
}

TEST(Dag, ReadyTasksRunAtTheSameTime) {
  const Scenario scenario = Workflow({{"a", {}}, {"b", {}}, {"c", {}}});
  Trace trace(scenario);
  std::latch all_running(3);  // would never open if they ran one after the other
  trace.body = [&](const std::string&) {
    all_running.arrive_and_wait();
    return TaskState::kFinished;
  };
  trace.Run();
  EXPECT_THAT(trace.states, testing::Each(TaskState::kFinished));
}

TEST(Dag, AReadyTaskDoesNotWaitForAnUnrelatedOne) {
  const Scenario scenario = Workflow({{"slow", {}}, {"first", {}}, {"second", {"first"}}});
  Trace trace(scenario);
  std::latch second_ran(1);
  trace.body = [&](const std::string& name) {
    if (name == "slow") second_ran.wait();
    if (name == "second") second_ran.count_down();
    return TaskState::kFinished;
  };
  trace.Run();
  EXPECT_TRUE(trace.Before("-second", "-slow"));
}

TEST(Dag, AFailureSkipsWhatDependsOnItAndNothingElse) {
  const Scenario scenario = Workflow({{"bad", {}},
                                      {"good", {}},
                                      {"both", {"bad", "good"}},
                                      {"far", {"both"}},
                                      {"fine", {"good"}}});
  Trace trace(scenario);
  trace.body = [](const std::string& name) {
    return name == "bad" ? TaskState::kFailed : TaskState::kFinished;
  };
  trace.Run();
  using enum TaskState;
  EXPECT_THAT(trace.states,
              testing::ElementsAre(kFailed, kFinished, kSkipped, kSkipped, kFinished));
  EXPECT_EQ(trace.at.count("+both"), 0u);
  EXPECT_EQ(trace.at.count("skipped far"), 1u);
}

TEST(Dag, AfterCancelNothingStarts) {
  const Scenario scenario = Workflow({{"a", {}}, {"b", {"a"}}, {"c", {"b"}}});
  Trace trace(scenario);
  trace.body = [&](const std::string&) {
    trace.cancel.Trigger();
    return TaskState::kCancelled;
  };
  trace.Run();
  EXPECT_THAT(trace.states, testing::Each(TaskState::kCancelled));
  EXPECT_EQ(trace.at.count("+b"), 0u);
}

TEST(Dag, WideAndDeepGraphsEnd) {
  std::vector<std::pair<std::string, std::vector<std::string>>> tasks;
  for (int layer = 0; layer < 20; ++layer) {
    for (int i = 0; i < 10; ++i) {
      std::vector<std::string> after;
      for (int j = 0; layer > 0 && j < 10; ++j) after.push_back(fmt::format("{}.{}", layer - 1, j));
      tasks.emplace_back(fmt::format("{}.{}", layer, i), after);
    }
  }
  const Scenario scenario = Workflow(tasks);
  Trace trace(scenario);
  trace.Run();
  EXPECT_EQ(trace.order.size(), 400u);
  EXPECT_TRUE(trace.Before("-0.9", "+1.0"));
  EXPECT_TRUE(trace.Before("-18.0", "+19.9"));
}

}  // namespace
}  // namespace cbench::run
