#include "report/trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>

#include "base/testing/scratch_folder.h"
#include "record/samples.h"
#include "report/testing.h"
#include "report/trace/gzip_file.h"
#include "report/trace/lanes.h"

namespace cbench::report {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

std::string Unzip(const std::filesystem::path& path) {
  std::string text;
  char buffer[1 << 16];
  const gzFile file = gzopen(path.c_str(), "rb");
  for (int n = 0; (n = gzread(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  EXPECT_EQ(gzclose(file), Z_OK);
  return text;
}

class TraceTest : public testing::Test {
 protected:
  // The events.
  Json Write(Tape& tape) {
    tape.record().directory = folder_.path();
    const auto written = WriteTrace(tape.record());
    EXPECT_TRUE(written) << written.error().message;
    auto json = ParseJson(Unzip(folder_.path() / kTraceName), "trace");
    EXPECT_TRUE(json) << json.error().message;
    return json ? (*json)["traceEvents"] : Json();
  }

  const ScratchFolder folder_;
};

// "process/track" of each track, and "process" of each process, by its number.
std::map<int, std::string> Names(const Json& events) {
  std::map<int, std::string> names;
  for (const Json& event : events)
    if (event["name"] == "process_name") names[event["pid"]] = event["args"]["name"];
  for (const Json& event : events)
    if (event["name"] == "thread_name")
      names[event["tid"]] = names[event["pid"]] + "/" + event["args"]["name"].get<std::string>();
  return names;
}

// "process/track: name begin+length" in ms.
std::vector<std::string> Slices(const Json& events, std::string_view track = "") {
  const auto names = Names(events);
  std::vector<std::string> slices;
  for (const Json& event : events) {
    if (event["ph"] != "X") continue;
    const std::string& name = names.at(event["tid"]);
    if (!name.starts_with(track)) continue;
    slices.push_back(fmt::format("{}: {} {}+{}", name, event["name"].get<std::string>(),
                                 event["ts"].get<Nanos>() / 1000,
                                 event["dur"].get<Nanos>() / 1000));
  }
  return slices;
}

// What Perfetto asks of a track: each slice lies within the one that is open, or begins after it.
void ExpectNested(const Json& events) {
  std::map<int, std::vector<std::pair<Nanos, Nanos>>> tracks;
  for (const Json& event : events)
    if (event["ph"] == "X") {
      const Nanos begin = event["ts"];
      tracks[event["tid"]].emplace_back(begin, begin + event["dur"].get<Nanos>());
    }
  for (auto& [track, slices] : tracks) {
    std::stable_sort(slices.begin(), slices.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Nanos> open;
    for (const auto& [begin, end] : slices) {
      while (!open.empty() && open.back() <= begin) open.pop_back();
      ASSERT_TRUE(open.empty() || end <= open.back()) << "track " << track << " at " << begin;
      open.push_back(end);
    }
  }
}

record::Step GateStep(const char* app, Nanos asked, Nanos begin, Nanos end) {
  record::Step step{"text", "decode", begin * kMs, end * kMs, 4};
  step.app = app;
  step.asked = asked * kMs;
  return step;
}

TEST_F(TraceTest, HasTasksRequestsPhasesAndSteps) {
  Tape tape;
  tape.Run("credit").Task(500, "talk", "started").Done(Chat(100, 10));
  tape.Put(0, GateStep("chat", 1000, 1010, 1100)).Task(5000, "talk", "finished").End();
  const Json events = Write(tape);
  ExpectNested(events);
  EXPECT_THAT(Slices(events),
              UnorderedElementsAre("cbench/runs: credit 0+9000",
                                   "device device/held by: chat: decode 1010+90",
                                   "app chat (chatbot, latency)/tasks: talk 500+4500",
                                   "app chat (chatbot, latency)/talk: chat 1000+200",
                                   "app chat (chatbot, latency)/talk: until first output 1000+100",
                                   "app chat (chatbot, latency)/talk: output 1100+100",
                                   "app chat (chatbot, latency)/steps: wait for the gate 1000+10",
                                   "app chat (chatbot, latency)/steps: decode 1010+90"));
}

TEST_F(TraceTest, AnImageHasItsDenoisingSteps) {
  Tape tape;
  tape.Run().Task(0, "paint", "started").Done(Image(300)).Task(5000, "paint", "finished").End();
  EXPECT_THAT(Slices(Write(tape), "app art"),
              Contains("app art (image_gen, throughput)/paint: denoising step 2300+300"));
}

TEST_F(TraceTest, RequestsSayWhatBecameOfThem) {
  Tape tape;
  RequestDone failed = Chat(100, 10, 3000);
  failed.failure = record::Failure{"timeout", "after 60 s"};
  tape.Run().Task(0, "talk", "started").Done(Chat(100, 10)).Done(failed);
  tape.Put(100, record::RequestIssued{7, "talk", "chat", 8000 * kMs}).End();
  std::vector<Json> args;
  for (const Json& event : Write(tape))
    if (event["name"] == "chat") args.push_back(event["args"]);
  ASSERT_EQ(args.size(), 3u);
  EXPECT_EQ(args[0], (Json{{"outcome", "met"}, {"run", "greedy"}, {"id", 1}, {"tokens", 11}}));
  EXPECT_EQ(args[1]["failure"], "timeout: after 60 s");
  EXPECT_EQ(args[2]["outcome"], "not ended");
}

TEST_F(TraceTest, WhatOverlapsHasTracksOfItsOwn) {
  Tape tape;
  tape.Run("partition").Task(0, "talk", "started");
  for (const Nanos sched : {1000, 1050, 1200}) tape.Done(Chat(100, 10, sched));
  tape.Put(0, GateStep("chat", 1000, 1000, 1100)).Put(0, GateStep("art", 1000, 1050, 1100));
  const Json events = Write(tape);
  ExpectNested(events);
  const auto slices = Slices(events);
  EXPECT_THAT(slices, Contains("app chat (chatbot, latency)/talk (2): chat 1050+200"));
  EXPECT_THAT(slices, Contains("app chat (chatbot, latency)/talk: chat 1200+200"));
  EXPECT_THAT(slices, Contains("device device/held by (2): art: decode 1050+50"));
}

TEST_F(TraceTest, RunsAreToldApart) {
  Tape tape;
  tape.Alone("chat").Put(1000, record::RunEnd{"done"});
  tape.Put(1000, record::RunStart{"credit", 0}).Put(2000, record::RunEnd{"done"});
  tape.Put(2000, record::RunStart{"credit", 1}).Put(3000, record::RunEnd{"failed"});
  EXPECT_THAT(
      Slices(Write(tape), "cbench"),
      UnorderedElementsAre("cbench/runs: chat alone 0+1000", "cbench/runs: credit 1000+1000",
                           "cbench/runs: credit, repetition 2 2000+1000"));
}

TEST_F(TraceTest, EnginesLiveBeforeTheClockStarts) {
  Tape tape;
  tape.Put(-300, record::EngineEvent{"text", "starting", 0, 0, ""});
  tape.Put(-100, record::EngineEvent{"text", "ready", 0, 0, ""});
  tape.Run().Put(500, record::EngineEvent{"text", "crashed", 0, 0, "signal 9"}).End();
  const Json events = Write(tape);
  EXPECT_THAT(Slices(events, "cbench/engine"),
              UnorderedElementsAre("cbench/engine text: starting 0+200",
                                   "cbench/engine text: ready 200+600"));
  EXPECT_THAT(Slices(events), Contains("cbench/runs: greedy 300+9000"));
}

TEST_F(TraceTest, ProbesAreCounters) {
  Tape tape;
  tape.Run().End();
  const std::vector<record::Sample> samples = {{kMs, "memory", "available", "bytes", 4096},
                                               {kMs, "memory", "swap", "bytes", std::nullopt},
                                               {kMs, "memory", "faults", "", 2},
                                               {kMs, "cpu", "busy", "ratio", 0.5},
                                               {2 * kMs, "cpu", "busy", "ratio", 1e-9},
                                               {3 * kMs, "cpu", "busy", "ratio", std::nullopt}};
  folder_.Write("samples.jsonl", record::SampleLines().Format(samples, 0) + "{\"t\":1");
  std::vector<std::string> counters;
  for (const Json& event : Write(tape))
    if (event["ph"] == "C")
      counters.push_back(event["name"].get<std::string>() + " " + event["ts"].dump() + " " +
                         event["args"].dump());
  EXPECT_THAT(counters, testing::ElementsAre(R"(memory 1000 {"available [bytes]":4096,"faults":2})",
                                             R"(cpu 1000 {"busy [ratio]":0.5})",
                                             R"(cpu 2000 {"busy [ratio]":1e-09})"));
}

TEST_F(TraceTest, ForeignTextIsEscaped) {
  constexpr char kHostile[] = "\"},{\n\x01\xE2\x80\xAE\xFF\\";
  Tape tape;
  RequestDone done = Chat(100, 10);
  done.failure = record::Failure{kHostile, kHostile};
  tape.Run(kHostile).Task(0, kHostile, "started").Done(done).Put(0, GateStep(kHostile, 1, 2, 3));
  tape.Put(0, record::ErrorEvent{kHostile, kHostile}).Task(5000, kHostile, kHostile).End();
  const std::string shown = Names(Write(tape)).rbegin()->second;
  EXPECT_THAT(shown, HasSubstr("steps"));
  for (const char c : Unzip(folder_.path() / kTraceName))
    EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
}

TEST_F(TraceTest, ExtremeStampsAreATrace) {
  constexpr Nanos kFar = Nanos{1} << 61;
  Tape tape;
  RequestDone done = Chat(100, 10);
  done.t_sched = done.t_send = -kFar;
  done.t_end = kFar;
  done.steps = {kFar, -kFar, kFar};
  tape.Put(-kFar / kMs, record::EngineEvent{"text", "ready", 0, 0, ""}).Run();
  tape.record().events.push_back({-kFar, record::RunStart{"greedy", 1}});
  tape.Task(0, "talk", "started").Done(done).Done(done);
  record::Step step{"text", "decode", -kFar, kFar};
  step.app = "chat";
  step.asked = -kFar;
  tape.Put(0, step).Put(0, step).Put(0, record::Step{"text", "decode", 5, 4});
  ExpectNested(Write(tape));
}

TEST_F(TraceTest, ARecordWithoutRunsIsATrace) {
  Tape tape;
  EXPECT_TRUE(Slices(Write(tape)).empty());
}

// Random times, a run that never ended.
TEST_F(TraceTest, EveryRequestAndStepIsThere) {
  Tape tape;
  std::mt19937 random(1);
  const auto below = [&random](Nanos most) { return static_cast<Nanos>(random()) % most; };
  tape.Run("credit").Task(0, "talk", "started");
  for (int i = 0; i < 2000; ++i) {
    tape.Done(Chat(below(900), below(30), 1 + below(60'000)));
    const Nanos asked = below(60'000'000) * 1000 + below(1000), begin = asked + below(9'999'999);
    record::Step step{"text", "decode", begin, begin + below(9'999'999)};
    step.app = "chat";
    step.asked = asked;
    tape.Put(0, step);
  }
  tape.record().torn = true;
  const Json events = Write(tape);
  ExpectNested(events);
  std::map<std::string, int> count;
  for (const Json& event : events) ++count[event["name"]];
  EXPECT_EQ(count["chat"], 2000);
  EXPECT_EQ(count["decode"], 2000);
  EXPECT_EQ(count["chat: decode"], 2000);
}

TEST(GzipFile, LeavesNothingWhereItCouldNotBeWritten) {
  const ScratchFolder folder;
  {
    GzipFile(folder.path() / "a.gz").Write("half");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  GzipFile nowhere(folder.path() / "none" / "a.gz");
  nowhere.Write("x");
  EXPECT_THAT(nowhere.Finish().error().message, HasSubstr("No such file"));
}

TEST(Lanes, TheLowestFreeOneIsTaken) {
  Lanes lanes;
  EXPECT_EQ(lanes.Take(0, 10), 0u);
  EXPECT_EQ(lanes.Take(1, 5), 1u);
  EXPECT_EQ(lanes.Take(2, 20), 2u);
  EXPECT_EQ(lanes.Take(10, 11), 0u);
  EXPECT_EQ(lanes.Take(10, 11), 1u);
  EXPECT_EQ(lanes.Take(10, 10), 3u);
}

}  // namespace
}  // namespace cbench::report
