// docs/policies.md works an example by hand: its trace and its table stand here to be verified.
#include <fmt/format.h>

#include "base/file.h"
#include "share/simulator.h"

namespace cbench::share {
namespace {

// Plays through `policy` and keeps everybody's credit after each step.
class Recorder final : public Policy {
 public:
  explicit Recorder(const Policy& policy) : Policy(policy.params()), policy_(policy) {}
  Choice Choose(const View& view) const override { return policy_.Choose(view); }
  void Arrive(std::span<Account> accounts, const StepView& step) const override {
    policy_.Arrive(accounts, step);
  }
  void Charge(std::span<Account> accounts, const StepView& step, Nanos measured,
              Nanos now) const override {
    policy_.Charge(accounts, step, measured, now);
    credits_.emplace_back();
    for (const Account& account : accounts) credits_.back().push_back(account.credit);
  }
  const std::vector<std::vector<Nanos>>& credits() const { return credits_; }

 private:
  const Policy& policy_;
  mutable std::vector<std::vector<Nanos>> credits_;
};

// What stands between the lines `from` and `to`.
std::string Between(const std::string& text, const std::string& from, const std::string& to) {
  const auto begin = text.find(from);
  if (begin == std::string::npos) return "";
  const auto start = begin + from.size();
  return text.substr(start, text.find(to, start) - start);
}

std::string Ms(Nanos t) { return fmt::format("{:.0f}", static_cast<double>(t) / kMillisecond); }

// A row a step: granted, whose, why, released, due, then everybody's credit after it.
std::string StepTable(const std::vector<TraceApp>& trace) {
  const auto policy = MakePolicy("credit");
  const Recorder recorder(**policy);
  const auto played = Simulate(trace, recorder, {.lanes = {}, .exact_costs = true});
  std::string table;
  for (std::size_t i = 0; i < played->steps.size(); ++i) {
    const SimulatedStep& step = played->steps[i];
    table += fmt::format("| {} | {} | {} | {} | {} |", Ms(step.granted),
                         trace[static_cast<std::size_t>(step.app)].name, Name(step.why),
                         Ms(step.released), step.deadline == 0 ? "" : Ms(step.deadline));
    for (const Nanos credit : recorder.credits()[i]) table += fmt::format(" {} |", Ms(credit));
    table += '\n';
  }
  return table;
}

struct Arm {
  std::string name, policy;
  PolicyParams params;
};

std::vector<Arm> Arms() {
  std::vector<Arm> arms = {{"`fifo`", "fifo", {}},
                           {"`priority`", "priority", {}},
                           {"`credit`", "credit", {}},
                           {"`credit`, `use_slack` off", "credit", {}},
                           {"`credit`, `anticipate` off", "credit", {}},
                           {"`credit`, `use_credit` off", "credit", {}}};
  arms[3].params.use_slack = arms[4].params.anticipate = arms[5].params.use_credit = false;
  return arms;
}

// A row a policy: an app's mean time for a request and what it missed, then the idle time.
std::string ArmTable(const std::vector<TraceApp>& trace, Nanos unit, bool exact_costs) {
  std::string table;
  for (const Arm& arm : Arms()) {
    const auto played = Simulate(trace, **MakePolicy(arm.policy, arm.params),
                                 {.lanes = {}, .exact_costs = exact_costs});
    const auto in_unit = [&](Nanos t) {
      return static_cast<double>(t) / static_cast<double>(unit);
    };
    table += fmt::format("| {} |", arm.name);
    for (const SimulatedApp& app : played->apps) {
      table += fmt::format(" {:.3g}", in_unit(app.took) / app.requests);
      const int late = app.requests - app.met;
      table += late == 0 ? " |" : fmt::format(", {} late |", late);
    }
    table += fmt::format(" {:.3g} |\n", in_unit(played->idle_with_waiter));
  }
  return table;
}

class DocumentedExampleTest : public testing::Test {
 protected:
  DocumentedExampleTest()
      : page_(*ReadFile(std::filesystem::path(CBENCH_SOURCE_DIR) / "docs/policies.md")),
        trace_(*ParseTrace(Between(page_, "```steps\n", "```"), "docs/policies.md")) {}
  std::string page_;
  std::vector<TraceApp> trace_;
};

TEST_F(DocumentedExampleTest, EveryStepIsAsTheTableSays) {
  EXPECT_EQ(Between(page_, "\n|---|---|---|---|---|---|---|---|\n", "\n\n") + "\n",
            StepTable(trace_));
}

TEST_F(DocumentedExampleTest, OtherPoliciesDoAsTheTableSays) {
  EXPECT_EQ(Between(page_, "\n|---|---|---|---|---|\n", "\n\n") + "\n",
            ArmTable(trace_, kMillisecond, true));
}

TEST_F(DocumentedExampleTest, TheDemoTraceGoesAsTheTableSays) {
  const auto path = std::filesystem::path(CBENCH_SOURCE_DIR) / "tests/traces/demo.steps";
  EXPECT_EQ(Between(page_, "\n|---|---|---|---|---|---|\n", "\n\n") + "\n",
            ArmTable(*ParseTrace(*ReadFile(path), "demo.steps"), kSecond, false));
}

}  // namespace
}  // namespace cbench::share
