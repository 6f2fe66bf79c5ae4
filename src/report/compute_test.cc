#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "record/parse.h"
#include "report/summary.h"
#include "report/testing.h"

namespace cbench::report {
namespace {

using record::RequestDone;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RequestDone Failed(RequestDone done, const char* kind) {
  done.failure = record::Failure{kind, "x"};
  return done;
}

// Both tasks as planned: 2 chats, 1 image.
Tape Good() {
  Tape tape;
  tape.Run().Task(500, "talk", "started").Done(Chat(200, 50)).Done(Chat(1200, 50));
  tape.Task(4000, "talk", "finished").Task(4100, "paint", "started").Done(Image(900));
  tape.Task(8000, "paint", "finished").End();
  return tape;
}

const TaskSummary& TaskOf(const Summary& summary, std::size_t i) {
  return summary.runs.at(0).tasks.at(i).second;
}

TEST(Compute, HandWorkedRun) {
  const Summary summary = Good().Compute();
  ASSERT_EQ(summary.runs.size(), 1u);
  const RunSummary& run = summary.runs[0];
  EXPECT_THAT(run.verdict.reasons, IsEmpty());
  EXPECT_TRUE(summary.verdict.valid);
  EXPECT_DOUBLE_EQ(*run.makespan_s, 7.5);
  EXPECT_DOUBLE_EQ(*run.fairness_attainment, (0.5 + 1) * (0.5 + 1) / (2 * (0.25 + 1)));
  ASSERT_EQ(run.tasks.size(), 2u);
  EXPECT_EQ(run.tasks[0].first, "talk");

  const TaskSummary& talk = TaskOf(summary, 0);
  EXPECT_EQ(talk.type, "chatbot");
  EXPECT_EQ(talk.priority_class, "latency");
  EXPECT_EQ(talk.completed, 2);
  EXPECT_EQ(talk.met, 1);
  EXPECT_DOUBLE_EQ(*talk.attainment, 0.5);
  EXPECT_EQ(talk.slo.at("ttft").met, 1);
  EXPECT_EQ(talk.slo.at("tpot").met, 2);
  EXPECT_DOUBLE_EQ(*talk.slo.at("ttft").latency.p50, 0.2);
  EXPECT_EQ(talk.slo.at("ttft").latency.p95, std::nullopt);
  EXPECT_DOUBLE_EQ(*talk.metrics.at("tpot").p50, 0.05);
  EXPECT_DOUBLE_EQ(*talk.metrics.at("decode_rate").p50, 20);
  EXPECT_EQ(talk.metrics.at("itl").samples, 20u);
  EXPECT_DOUBLE_EQ(*talk.metrics.at("fluidity").p50, 1);
  EXPECT_DOUBLE_EQ(talk.totals.at("output_tokens"), 22);
  EXPECT_DOUBLE_EQ(talk.totals.at("output_tokens_per_s"), 22 / 3.5);
  EXPECT_DOUBLE_EQ(talk.totals.at("goodput_per_s"), 1 / 3.5);
  EXPECT_DOUBLE_EQ(talk.totals.at("cached_tokens"), 0);
  EXPECT_EQ(talk.metrics.count("segment"), 0u);

  const TaskSummary& paint = TaskOf(summary, 1);
  EXPECT_THAT(paint.after, ElementsAre("talk"));
  EXPECT_DOUBLE_EQ(*paint.start_s, 4.1);
  EXPECT_EQ(paint.slo.at("step").latency.samples, 3u);
  EXPECT_EQ(paint.metrics.at("step").samples, 2u) << "the first is counted apart";
  EXPECT_EQ(paint.metrics.at("first_step").samples, 1u);
}

TEST(Compute, OpenLoopIsJudgedOnResponseTime) {
  Tape tape;
  RequestDone late = Chat(900, 50);
  late.t_sched -= 200 * kMs;  // 1.1 s after it was wanted, 0.9 s after it was sent
  tape.Run().Task(1, "talk", "started").Done(late);
  const TaskSummary talk = TaskOf(tape.Compute(), 0);
  EXPECT_EQ(talk.slo.at("ttft").met, 0);
  EXPECT_DOUBLE_EQ(*talk.metrics.at("ttft").p50, 0.9);
  EXPECT_DOUBLE_EQ(*talk.metrics.at("ttft_response").p50, 1.1);
}

TEST(Compute, AgentEpisodes) {
  Tape tape;
  RequestDone done;
  done.task = "dig";
  done.kind = "episode";
  done.t_sched = 1000 * kMs;
  done.t_end = 6000 * kMs;
  done.llm_time = 4000 * kMs;
  done.tool_time = 500 * kMs;
  done.llm_calls = 7;
  tape.record().header.scenario["tasks"].push_back(
      {{"name", "dig"}, {"app", "study"}, {"requests", 1}});
  tape.Run().Task(1, "dig", "started").Done(done);
  const TaskSummary dig = TaskOf(tape.Compute(), 2);
  EXPECT_DOUBLE_EQ(*dig.metrics.at("episode").p50, 5);
  EXPECT_DOUBLE_EQ(dig.totals.at("llm_time_s"), 4);
  EXPECT_DOUBLE_EQ(dig.totals.at("tool_time_s"), 0.5);
  EXPECT_DOUBLE_EQ(dig.totals.at("llm_calls"), 7);
  EXPECT_EQ(dig.attainment, std::nullopt) << "no SLO, nothing to attain";
}

TEST(Compute, FailedAndUnfinishedRequestsAreMisses) {
  Tape tape;
  tape.Run().Task(1, "talk", "started").Done(Chat(200, 50)).Issue("talk", "chat");
  tape.Done(Failed(Chat(200, 50), "timeout")).End();
  const TaskSummary talk = TaskOf(tape.Compute(), 0);
  EXPECT_EQ(talk.issued, 3);
  EXPECT_EQ(talk.completed, 1);
  EXPECT_EQ(talk.failed, 2);
  EXPECT_DOUBLE_EQ(*talk.attainment, 1. / 3);
  EXPECT_THAT(talk.failures, ElementsAre(std::pair("interrupted", 1), std::pair("timeout", 1)));
}

TEST(Compute, RequestsBeforeTheRunAreWarmUp) {
  Tape tape;
  tape.Done(Chat(200, 50)).Run().Task(1, "talk", "started");
  EXPECT_EQ(TaskOf(tape.Compute(), 0).issued, 0);
}

struct Spoiled {
  const char* name;
  void (*spoil)(Tape&);
  const char* reason;
};

// Each is the good run, or the beginning of one, with one thing wrong.
const Spoiled kSpoiled[] = {
    {"interrupted", [](Tape& t) { t.record().events.pop_back(); }, "interrupted"},
    {"cancelled", [](Tape& t) { t.End("cancelled"); }, "cancelled before its end"},
    {"failed", [](Tape& t) { t.End("failed"); }, "the run ended as \"failed\""},
    {"crash", [](Tape& t) { t.Put(1, record::EngineEvent{"text", "crashed", 1, 0, "signal 9"}); },
     "engine crashed: text: signal 9"},
    {"error", [](Tape& t) { t.Put(1, record::ErrorEvent{"run", "odd"}); },
     "error outside any request: run: odd"},
    {"skipped", [](Tape& t) { t.Task(8100, "paint", "skipped", "talk failed"); },
     "task paint was not finished but is marked skipped: talk failed"},
    {"restarted", [](Tape& t) { t.Task(8100, "paint", "started"); }, "task paint did not finish"},
    {"incomplete", [](Tape& t) { t.Done(Failed(Chat(200, 50), "timeout")); },
     "app chat completed 2 of 3 planned requests"},
    {"in-band", [](Tape& t) { t.Done(Failed(Chat(200, 50), "in-band")); },
     "task talk: 1 of 3 requests got an error inside an answer"},
    {"tokens",
     [](Tape& t) {
       RequestDone done = Chat(200, 50);
       done.usage_tokens = 100;
       t.Done(done);
     },
     "task talk: output tokens counted by the server (122) and from the stream differ by 89"},
    {"pinned",
     [](Tape& t) {
       RequestDone done = Chat(200, 50);
       done.pinned_tokens = 13;
       t.Done(done);
     },
     "task talk: 1 of 1 answers are over 10 % off the length"},
    {"missing",
     [](Tape& t) {
       RequestDone done = Chat(200, 50);
       done.t_first = 0;
       t.Done(done);
     },
     "task talk: ttft is missing for 1 of 3 completed requests"},
    {"no steps", [](Tape& t) { t.Done(Image(900, 0)); },
     "task paint: step is missing for 1 of 2 completed requests"},
};

TEST(Verdict, InvalidInPlainWords) {
  for (const Spoiled& c : kSpoiled) {
    Tape tape = Good();
    c.spoil(tape);
    const Summary summary = tape.Compute();
    EXPECT_FALSE(summary.verdict.valid) << c.name;
    EXPECT_THAT(summary.verdict.reasons, testing::Contains(HasSubstr(c.reason))) << c.name;
  }
}

TEST(Verdict, TenPercentOffIsStillAsPinned) {
  Tape tape = Good();
  RequestDone done = Chat(200, 50);
  done.pinned_tokens = 10;  // 11 came
  tape.Done(done);
  EXPECT_TRUE(tape.Compute().verdict.valid);
}

TEST(Verdict, NineOfTenCompletedAreEnough) {
  Tape tape = Good();
  for (int i = 0; i < 7; ++i) tape.Done(Chat(200, 50));
  tape.Done(Failed(Chat(200, 50), "timeout"));
  EXPECT_TRUE(tape.Compute().verdict.valid);
  tape.Done(Failed(Chat(200, 50), "timeout"));
  EXPECT_FALSE(tape.Compute().verdict.valid);
}

TEST(Verdict, MissingRunsAndNoRunAreInvalid) {
  Tape empty;
  EXPECT_THAT(empty.Compute().verdict.reasons, ElementsAre("the record holds no run"));
  Tape one = Good();
  one.record().header.scenario["repeat"] = 3;
  EXPECT_THAT(one.Compute().verdict.reasons, ElementsAre("the record holds 1 of 3 planned runs"));
}

TEST(Verdict, ATaskThatNeverStartedIsListed) {
  Tape tape;
  tape.Run().End();
  const Summary summary = tape.Compute();
  EXPECT_EQ(TaskOf(summary, 0).state, "not started");
  EXPECT_EQ(TaskOf(summary, 0).attainment, std::nullopt);
  EXPECT_THAT(summary.verdict.reasons, testing::Contains(HasSubstr("task talk did not start")));
  EXPECT_EQ(summary.runs[0].makespan_s, std::nullopt);
}

struct Doubtful {
  const char* name;
  void (*change)(Tape&);
  const char* doubt;
};

const Doubtful kDoubtful[] = {
    {"few", [](Tape&) {}, "few requests in talk (2), paint (1)"},
    {"cache",
     [](Tape& t) {
       RequestDone done = Chat(200, 50);
       done.prompt_tokens = 10;
       done.cached_tokens = 10;
       t.Done(done);
     },
     "task talk: 50 % of its prompt tokens came from the prefix cache"},
    {"tokens",
     [](Tape& t) {
       RequestDone done = Chat(200, 50);
       done.usage_tokens = 14;
       t.Done(done);
     },
     "the server's count of output tokens and the stream's differ by 8.3 %"},
    {"retried",
     [](Tape& t) {
       RequestDone done = Chat(200, 50);
       done.retried = true;
       t.Done(done);
     },
     "task talk: 1 requests were sent again"},
    {"dispatch",
     [](Tape& t) {
       for (int i = 0; i < 3; ++i) {
         RequestDone done = Chat(200, 50);
         done.t_sched -= 2 * kMs;
         t.Done(done);
       }
     },
     "task talk: requests were sent late (dispatch delay p50 2.0 ms"},
    {"one chunk",
     [](Tape& t) {
       RequestDone done = Chat(200, 50);
       done.usage_tokens = done.stream_tokens = 1;
       done.counts = {1};
       done.deltas = {0};
       t.Done(done);
     },
     "task talk: 1 of 3 answers came in one chunk and have no tpot; they count as met"},
};

TEST(Doubts, SayWhatAndWhatToDo) {
  for (const Doubtful& c : kDoubtful) {
    Tape tape = Good();
    c.change(tape);
    const Summary summary = tape.Compute();
    EXPECT_TRUE(summary.verdict.valid) << c.name;
    EXPECT_THAT(summary.runs[0].doubts, testing::Contains(HasSubstr(c.doubt))) << c.name;
  }
}

TEST(Doubts, ColdFirstRequest) {
  Tape tape;
  tape.Run().Task(500, "talk", "started").Done(Chat(900, 50));
  for (int i = 0; i < 4; ++i) tape.Done(Chat(200, 50));
  const Summary summary = tape.Compute();
  EXPECT_THAT(summary.runs[0].doubts,
              testing::Contains(HasSubstr("first request took 4.5 times the median")));
}

TEST(Doubts, SpreadOverRepetitions) {
  Tape tape;
  tape.record().header.scenario["repeat"] = 2;
  for (int i = 0; i < 2; ++i) {
    tape.Run("greedy", i).Task(500, "talk", "started").Done(Chat(200 * (i + 1), 50));
    tape.Task(4000 + 1000 * i, "talk", "finished").End();
  }
  const Summary summary = tape.Compute();
  EXPECT_THAT(summary.doubts, ElementsAre(HasSubstr("greedy: makespan varies by 18 %"),
                                          HasSubstr("greedy: median latency of task talk varies")));
}

TEST(Notes, SyntheticWeightsAndTornRecords) {
  Tape tape = Good();
  tape.record().header.scenario["engines"][0]["model"] = "synth:llama-3.2-1b";
  tape.record().header.engines = {{"speech", {{"synthetic", true}}}};
  tape.record().torn = true;
  tape.record().skipped = 2;
  EXPECT_THAT(tape.Compute().notes,
              ElementsAre(HasSubstr("synthetic weights in text, speech"), HasSubstr("cut off"),
                          HasSubstr("2 events of a newer record version")));
}

TEST(Compute, AnyScenarioHeaderIsTolerated) {
  for (const char* scenario :
       {"{}", R"({"apps": 3, "tasks": {"a": 1}, "engines": [1, null], "strategies": "x"})",
        R"({"apps": {"chat": {"slo": [1]}}, "tasks": [{"name": 5, "requests": 1e300}]})"}) {
    Tape tape = Good();
    tape.record().header.scenario = *ParseJson(scenario, "scenario");
    const Summary summary = tape.Compute();
    EXPECT_EQ(summary.runs.size(), 1u) << scenario;
    EXPECT_FALSE(ToTerminal(summary, false).empty());
  }
}

// A harness killed at any moment leaves a prefix of the file.
TEST(Compute, ARecordCutAnywhereRenders) {
  Tape good = Good();
  std::string text;
  for (const record::Event& event : good.record().events)
    text += DumpJson(record::ToJson(event)) + '\n';
  for (std::size_t size = 0; size < text.size(); ++size) {
    Tape cut;
    std::istringstream in(text.substr(0, size));
    ASSERT_TRUE(record::ParseEvents(in, "events.jsonl", cut.record())) << size;
    const Summary summary = cut.Compute();
    const bool is_whole = size + 1 == text.size();  // only the last newline is lost
    EXPECT_EQ(summary.verdict.valid, is_whole) << size;
    EXPECT_THAT(ToTerminal(summary, false), HasSubstr(is_whole ? " VALID" : "INVALID"));
    EXPECT_FALSE(ToMarkdown(summary).empty());
    EXPECT_EQ(ToJson(summary)["schema"], "cbench.summary/1");
  }
}

}  // namespace
}  // namespace cbench::report
