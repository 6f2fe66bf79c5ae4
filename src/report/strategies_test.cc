#include "report/strategies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/testing.h"

namespace cbench::report {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// One repetition in which both tasks run at once, for 1 s to 8 s and for 1 s to 9 s.
void Shared(Tape& tape, const char* strategy, int repeat, std::vector<RequestDone> requests) {
  tape.Run(strategy, repeat).Task(1000, "talk", "started").Task(1000, "paint", "started");
  for (RequestDone& done : requests) tape.Done(std::move(done));
  tape.Task(8000, "talk", "finished").Task(9000, "paint", "finished").End();
}

void Baselines(Tape& tape, int repeat = 0) {
  tape.Alone("chat", repeat).Task(1000, "talk", "started").Done(Chat(200, 50)).Done(Chat(200, 50));
  tape.Task(3000, "talk", "finished").End();
  tape.Alone("art", repeat).Task(1000, "paint", "started").Done(Image(500));
  tape.Task(5000, "paint", "finished").End();
}

Tape Compared() {
  Tape tape;
  tape.record().header.scenario["strategies"] = {"greedy", "credit"};
  Baselines(tape);
  Shared(tape, "greedy", 0, {Chat(600, 100), Chat(600, 100), Image(500)});
  Shared(tape, "credit", 0, {Chat(300, 50), Chat(300, 50), Image(1000)});
  return tape;
}

TEST(Exclusive, RunsAreNoStrategies) {
  const Summary summary = Compared().Compute();
  EXPECT_THAT(summary.verdict.reasons, IsEmpty());
  ASSERT_EQ(summary.runs.size(), 2u);
  ASSERT_EQ(summary.strategies.size(), 2u);
  ASSERT_EQ(summary.exclusive.size(), 2u);
  const ExclusiveSummary& chat = summary.exclusive[0];
  EXPECT_EQ(chat.app, "chat");
  EXPECT_EQ(chat.runs, 1);
  EXPECT_EQ(chat.completed, 2);
  EXPECT_EQ(chat.primary, "itl");
  EXPECT_DOUBLE_EQ(*chat.attainment, 1);
  EXPECT_DOUBLE_EQ(*chat.metrics.at("ttft").p50, 0.2);
  EXPECT_EQ(chat.metrics.at("itl").samples, 20u);
}

TEST(Exclusive, RepetitionsArePooled) {
  Tape tape;
  for (int repeat = 0; repeat < 3; ++repeat) Baselines(tape, repeat);
  const Summary summary = tape.Compute();
  EXPECT_EQ(summary.exclusive.at(0).runs, 3);
  EXPECT_EQ(summary.exclusive.at(0).metrics.at("ttft").samples, 6u);
}

TEST(Exclusive, AFailureIsNamed) {
  Tape tape = Compared();
  tape.Alone("art", 1).Task(1000, "paint", "started");
  const Summary summary = tape.Compute();
  EXPECT_FALSE(summary.verdict.valid);
  EXPECT_THAT(
      summary.verdict.reasons,
      Contains("art alone, repetition 2: interrupted: the record ends before the run does"));
  EXPECT_FALSE(summary.exclusive.at(1).verdict.valid);
}

TEST(Exclusive, OneThatWasPlannedAndIsMissingIsNamed) {
  Tape tape = Compared();
  tape.record().header.scenario["exclusive_baseline"] = true;
  EXPECT_THAT(tape.Compute().verdict.reasons, IsEmpty());
  Tape none;
  none.record().header.scenario["exclusive_baseline"] = true;
  Shared(none, "greedy", 0, {Chat(200, 50), Chat(200, 50), Image(500)});
  EXPECT_THAT(none.Compute().verdict.reasons,
              ElementsAre("the record holds 0 of 1 planned runs of chat alone",
                          "the record holds 0 of 1 planned runs of art alone"));
}

TEST(Slowdown, IsTheQuotientOfMedians) {
  const Summary summary = Compared().Compute();
  const Slowdown& talk = summary.runs[0].tasks[0].second.slowdown;
  EXPECT_EQ(talk.metric, "itl");
  EXPECT_DOUBLE_EQ(*talk.primary().p50, 2);
  EXPECT_DOUBLE_EQ(*talk.by_metric.at("tpot").p50, 2);
  EXPECT_DOUBLE_EQ(*talk.by_metric.at("ttft").p50, 3);
  EXPECT_EQ(talk.primary().p99, std::nullopt);
  EXPECT_EQ(talk.primary().reason,
            "p99 needs 200 samples of itl on both sides: there are 20, alone 20");
  EXPECT_DOUBLE_EQ(*summary.runs[1].slowdowns.at("chat").primary().p50, 1);
  EXPECT_DOUBLE_EQ(*summary.runs[1].slowdowns.at("art").primary().p50, 2);
}

TEST(Slowdown, PoolingRepetitionsGivesTails) {
  Tape tape;
  tape.record().header.scenario["repeat"] = 2;
  const std::vector<RequestDone> alone(10, Chat(200, 50)), shared(10, Chat(200, 150));
  for (int repeat = 0; repeat < 2; ++repeat) {
    tape.Alone("chat", repeat).Task(1000, "talk", "started");
    for (const RequestDone& done : alone) tape.Done(done);
    tape.Task(3000, "talk", "finished").End();
    Shared(tape, "greedy", repeat, shared);
  }
  const Summary summary = tape.Compute();
  EXPECT_EQ(summary.runs[0].tasks[0].second.slowdown.primary().p99, std::nullopt);
  const StrategySummary& greedy = summary.strategies.at(0);
  EXPECT_DOUBLE_EQ(*greedy.apps.at(0).slowdown.primary().p99, 3);
  EXPECT_DOUBLE_EQ(*greedy.tasks.at(0).second.primary().p99, 3);
  EXPECT_EQ(greedy.apps.at(0).slowdown.primary().reason, "");
}

TEST(Slowdown, IsNullWithAReason) {
  Tape tape;
  tape.Alone("chat").Task(1000, "talk", "started").Done(Image(500)).End();
  Shared(tape, "greedy", 0, {Chat(200, 50), Image(500)});
  const Summary summary = tape.Compute();
  EXPECT_EQ(summary.runs[0].slowdowns.at("chat").primary().reason, "alone, nothing gave itl");
  const Slowdown& art = summary.runs[0].slowdowns.at("art");
  EXPECT_THAT(art.by_metric, IsEmpty());
  EXPECT_EQ(art.primary().reason, "the app was not run alone");
}

TEST(Progress, HandWorked) {
  Tape tape = Compared();
  Summary summary = tape.Compute();
  // greedy: 50/100 and 500/500; credit: 50/50 and 500/1000.
  EXPECT_DOUBLE_EQ(*summary.runs[0].fairness_progress, 1.5 * 1.5 / (2 * 1.25));
  EXPECT_DOUBLE_EQ(*summary.runs[1].fairness_progress, 1.5 * 1.5 / (2 * 1.25));
  tape.record().header.scenario["apps"][1]["weight"] = 2;
  summary = tape.Compute();
  EXPECT_DOUBLE_EQ(*summary.runs[0].fairness_progress, 1) << "what it is entitled to";
  EXPECT_DOUBLE_EQ(*summary.runs[1].fairness_progress, 1.25 * 1.25 / (2 * (1 + 0.0625)));
}

TEST(Progress, CountsOnlyTheTimeInWhichAllHadWork) {
  Tape tape;
  Baselines(tape);
  tape.Run().Task(1000, "paint", "started").Task(1000, "talk", "started");
  tape.Done(Image(500)).Done(Chat(200, 100, 1000));
  tape.Task(4000, "paint", "finished");
  for (int i = 0; i < 4; ++i) tape.Done(Chat(200, 50, 5000 + 1000 * i));  // with nobody beside it
  tape.Task(9000, "talk", "finished").End();
  EXPECT_DOUBLE_EQ(*tape.Compute().runs[0].fairness_progress, 1.5 * 1.5 / (2 * 1.25));
}

TEST(Progress, IsNullWithAReason) {
  Tape none;
  Shared(none, "greedy", 0, {Chat(200, 50), Image(500)});
  EXPECT_EQ(none.Compute().runs[0].fairness_progress_reason,
            "app chat has no exclusive run to compare with");
  Tape after;
  Baselines(after);
  after.Run().Task(1000, "talk", "started").Done(Chat(200, 50)).Task(2000, "talk", "finished");
  after.Task(2000, "paint", "started").Done(Image(500)).Task(5000, "paint", "finished").End();
  const RunSummary run = after.Compute().runs.at(0);
  EXPECT_EQ(run.fairness_progress, std::nullopt);
  EXPECT_EQ(run.fairness_progress_reason, "the apps never all had work at the same time");
}

TEST(Strategies, PoolRequestsAndTakeMedians) {
  Tape tape;
  tape.record().header.scenario["strategies"] = {"greedy", "credit"};
  tape.record().header.scenario["repeat"] = 2;
  tape.record().header.arrangements = {{"credit", {{"text", {{"grain", "step"}}}}}};
  for (int repeat = 0; repeat < 2; ++repeat) {
    Shared(tape, "greedy", repeat, {Chat(200, 50), Chat(1200, 50), Image(900)});
    tape.Run("credit", repeat).Task(1000, "talk", "started").Done(Chat(200, 50));
    tape.Put(0, record::Step{"text", "decode", 2000 * kMs, 3000 * kMs, 1, "chat"});
    tape.Task(4000 + 2000 * repeat, "talk", "finished").End();
  }
  const Summary summary = tape.Compute();
  const StrategySummary& greedy = summary.strategies.at(0);
  EXPECT_EQ(greedy.runs, 2);
  EXPECT_EQ(greedy.valid_runs, 2);
  EXPECT_DOUBLE_EQ(*greedy.makespan_s.median, 8);
  EXPECT_DOUBLE_EQ(*greedy.makespan_ratio, 1);
  const AppShare& chat = greedy.apps.at(0);
  EXPECT_EQ(chat.met, 2);
  EXPECT_EQ(chat.issued, 4);
  EXPECT_DOUBLE_EQ(*chat.attainment, 0.5);
  EXPECT_DOUBLE_EQ(chat.attainment_ci95->first, Wilson95(2, 4)->first);
  EXPECT_EQ(chat.latency.samples, 40u);
  EXPECT_DOUBLE_EQ(*chat.requests_per_min, 60 * 4. / 14);
  EXPECT_EQ(greedy.gate, std::nullopt);
  EXPECT_NE(greedy.busy_reason, "");

  const StrategySummary& credit = summary.strategies.at(1);
  EXPECT_DOUBLE_EQ(*credit.makespan_s.median, 4);
  EXPECT_DOUBLE_EQ(*credit.makespan_s.low, 3);
  EXPECT_DOUBLE_EQ(*credit.makespan_s.high, 5);
  EXPECT_DOUBLE_EQ(*credit.makespan_ratio, 0.5);
  EXPECT_EQ(credit.gate->holds, 2u);
  EXPECT_EQ(credit.gate_apps.at("chat").holds, 2u);
  EXPECT_DOUBLE_EQ(*credit.busy.at("device").median, (1. / 3 + 1. / 5) / 2);
  EXPECT_THAT(credit.grain, ElementsAre(std::pair("text", "step")));
}

TEST(Strategies, OverRepetitions) {
  EXPECT_EQ(OverRepetitions({}).median, std::nullopt);
  EXPECT_EQ(OverRepetitions({3, 1, 2}).median, 2);
  EXPECT_EQ(OverRepetitions({3, 1, 2}).low, 1);
  EXPECT_EQ(OverRepetitions({3, 1, 2}).high, 3);
}

TEST(Doubts, StrategiesWithoutBaseline) {
  Tape tape = Compared();
  EXPECT_THAT(tape.Compute().doubts, Not(Contains(HasSubstr("--exclusive-baseline"))));
  Tape without;
  Shared(without, "greedy", 0, {Chat(200, 50), Image(500)});
  EXPECT_THAT(without.Compute().doubts, IsEmpty()) << "one strategy is no comparison";
  Shared(without, "credit", 0, {Chat(200, 50), Image(500)});
  EXPECT_THAT(without.Compute().doubts, ElementsAre(HasSubstr("without a run alone of chat, art")));
}

TEST(Doubts, ABaselineThatIsSlowerThanSharing) {
  Tape tape;
  Baselines(tape);
  Shared(tape, "greedy", 0, {Chat(200, 25), Image(475)});
  EXPECT_THAT(tape.Compute().doubts,
              ElementsAre(HasSubstr("greedy: app chat is faster than alone (slow-down 0.50 of")));
}

// Six requests of 900 ms, wanted every 300 ms, over one sender.
TEST(Doubts, OverloadIsNotLateDispatch) {
  Tape busy, late;
  busy.Run().Task(500, "talk", "started");
  late.Run().Task(500, "talk", "started");
  for (int i = 0; i < 6; ++i) {
    RequestDone done = Chat(200, 70, 1000 + 900 * i);
    done.t_sched = (1000 + 300 * i) * kMs;
    busy.Done(done);
    done = Chat(200, 70, 1000 + 1000 * i);  // the sender was free for 100 ms
    done.t_sched = (900 + 300 * i) * kMs;
    late.Done(done);
  }
  EXPECT_THAT(busy.Compute().runs[0].doubts, Not(Contains(HasSubstr("sent late"))));
  EXPECT_THAT(late.Compute().runs[0].doubts,
              Contains(HasSubstr("sent late (dispatch delay p50 100.0 ms")));
}

}  // namespace
}  // namespace cbench::report
