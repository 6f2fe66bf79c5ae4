#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/file.h"
#include "base/testing/scratch_folder.h"
#include "record/parse.h"
#include "record/reader.h"
#include "record/rebase.h"
#include "record/writer.h"

namespace cbench::record {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void Write(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

Header SmallHeader() {
  Header header;
  header.name = "demo";
  header.started_utc = "2026-12-01T10:20:30Z";
  header.clock_base = 1000;
  header.seed = 18446744073709551615u;
  header.device = {{"cores", 2}};
  header.engines = {{"text", {{"synthetic", true}}}};
  header.scenario = {{"name", "demo"}};
  header.cbench_version = "0.1.0";
  header.command = {"cbench", "run", "demo.yaml"};
  return header;
}

RequestDone FullDone() {
  RequestDone done;
  done.id = 7;
  done.task = "cover";
  done.kind = "image";
  done.failure = Failure{"timeout", "after 2 s"};
  done.t_sched = 1001;
  done.t_send = 1002;
  done.t_first = 1003;
  done.t_first_content = 1004;
  done.t_last = 1005;
  done.t_end = 1006;
  done.deltas = {0, 5, 6};
  done.counts = {1, 1, 2};
  done.prompt_tokens = 8;
  done.cached_tokens = 2;
  done.usage_tokens = 0;
  done.stream_tokens = 4;
  done.pinned_tokens = 9;
  done.finish_reason = "length";
  done.steps = {1003, 1005};
  done.image_bytes = 12;
  done.t_available = 1000;
  done.audio = 2 * kSecond;
  done.llm_time = 3;
  done.tool_time = 4;
  done.llm_calls = 5;
  done.retried = true;
  done.output = "a\n\"b\" \xC3\xA9";
  return done;
}

std::vector<Event> OneOfEach() {
  return {{1000, RunStart{"greedy", 0, "chat"}},
          {1001, EngineEvent{"text", "ready", 42, 17, ""}},
          {1001, TaskEvent{"chat", "started", ""}},
          {1002, RequestIssued{7, "chat", "chat", 1002}},
          {1003, Step{"text", "prefill", 1002, 1003, 128, "chat", "front", 1001, 2}},
          {1004, FullDone()},
          {1005, ErrorEvent{"monitor", "lost"}},
          {1006, RunEnd{"done"}},
          {1006, ProbeEvent{"rapl", "absent", 50, "why"}}};
}

std::string Lines(const std::vector<Event>& events) {
  std::string text;
  for (const Event& event : events) text += DumpJson(ToJson(event)) + '\n';
  return text;
}

TEST(EventJson, RoundTripsEveryKindAndEveryField) {
  for (const Event& event : OneOfEach()) {
    const Json json = ToJson(event);
    const auto back = EventFromJson(json);
    ASSERT_TRUE(back) << json << back.error().message;
    EXPECT_EQ(back->body.index(), event.body.index());
    EXPECT_EQ(ToJson(*back), json);
  }
  EXPECT_EQ(ToJson(Event{0, FullDone()}).size(), 29u) << "a field of RequestDone is not written";
}

TEST(EventJson, AbsentStaysAbsent) {
  RequestDone done;
  done.id = 1;
  const Json json = ToJson(Event{5, done});
  EXPECT_EQ(DumpJson(json), R"({"t":5,"ev":"done","id":1,"task":"","kind":""})");
  const auto back = EventFromJson(json);
  ASSERT_TRUE(back);
  const auto& read = std::get<RequestDone>(back->body);
  EXPECT_EQ(read.t_first, 0);
  EXPECT_EQ(read.usage_tokens, std::nullopt);
  EXPECT_FALSE(read.failure);
}

TEST(EventJson, ZeroUsageIsNotAbsentUsage) {
  RequestDone done;
  done.usage_tokens = 0;
  const auto back = EventFromJson(ToJson(Event{0, done}));
  ASSERT_TRUE(back);
  EXPECT_EQ(std::get<RequestDone>(back->body).usage_tokens, 0);
}

TEST(EventJson, RefusesWrongFieldsByName) {
  const std::pair<const char*, const char*> cases[] = {
      {R"([])", "object"},
      {R"({"ev":"run_end","status":"done"})", "\"t\" is missing"},
      {R"({"t":1.5,"ev":"run_end","status":"done"})", "\"t\""},
      {R"({"t":1e99,"ev":"run_end","status":"done"})", "\"t\""},
      {R"({"t":9223372036854775807,"ev":"run_end","status":"done"})", "\"t\""},
      {R"({"t":18446744073709551615,"ev":"run_end","status":"done"})", "\"t\""},
      {R"({"t":1,"ev":"dance"})", "unknown event \"dance\""},
      {R"({"t":1,"ev":"run_end"})", "\"status\" is missing"},
      {R"({"t":1,"ev":"run","strategy":"x","repeat":4294967296})", "\"repeat\""},
      {R"({"t":1,"ev":"issue","id":-1,"task":"a","kind":"b"})", "\"id\""},
      {R"({"t":1,"ev":"done","id":1,"task":"a","kind":"b","deltas":[1,"2"]})", "\"deltas\""},
      {R"({"t":1,"ev":"done","id":1,"task":"a","kind":"b","failure":{"kind":"x"}})", "\"failure\""},
      {R"({"t":1,"ev":"done","id":1,"task":"a","kind":"b","retried":1})", "\"retried\""},
  };
  for (const auto& [text, error] : cases) {
    const auto event = EventFromJson(*ParseJson(text, "case"));
    ASSERT_FALSE(event) << text;
    EXPECT_THAT(event.error().message, HasSubstr(error)) << text;
  }
}

TEST(EventJson, IgnoresFieldsOfNewerWriters) {
  EXPECT_TRUE(EventFromJson(*ParseJson(R"({"t":1,"ev":"run_end","status":"x","new":{}})", "case")));
}

TEST(Rebase, MovesStampsAndKeepsDurationsAndAbsence) {
  RequestDone done = FullDone();
  done.t_first_content = 0;
  const auto moved = std::get<RequestDone>(Rebase(Event{1010, done}, 1000).body);
  EXPECT_EQ(moved.t_send, 2);
  EXPECT_EQ(moved.t_first_content, 0);
  EXPECT_EQ(moved.t_available, 1) << "happened at the base: must not become absent";
  EXPECT_EQ(moved.steps, (std::vector<Nanos>{3, 5}));
  EXPECT_EQ(moved.deltas, done.deltas);
  EXPECT_EQ(moved.audio, done.audio);
  EXPECT_EQ(Rebase(Event{990, RunEnd{"done"}}, 1000).t, -10);
}

TEST(Writer, WritesWhatTheReaderReads) {
  const ScratchFolder folder;
  auto writer = Writer::Create(folder.path() / "runs", {}, SmallHeader());
  ASSERT_TRUE(writer) << writer.error().message;
  const fs::path directory = (*writer)->directory();
  EXPECT_THAT(directory.filename().string(), testing::MatchesRegex("demo-[0-9]+-[0-9]+-[0-9a-f]+"));
  for (const Event& event : OneOfEach()) (*writer)->Append(event);
  const Sample sample{1500, "cpu", "busy", "%", 12.5};
  (*writer)->Append(std::span(&sample, 1));
  Header later = SmallHeader();
  later.clock_base = 99;
  later.device = {{"cores", 4}};
  ASSERT_TRUE((*writer)->UpdateHeader(later));
  ASSERT_TRUE((*writer)->Close());

  const auto record = Read(directory);
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_FALSE(record->torn);
  EXPECT_EQ(record->header.clock_base, 1000) << "fixed when the record was made";
  EXPECT_EQ(record->header.device["cores"], 4);
  EXPECT_EQ(record->header.seed, 18446744073709551615u);
  ASSERT_EQ(record->events.size(), OneOfEach().size());
  EXPECT_EQ(record->events[1].t, 1);
  EXPECT_EQ(std::get<RequestDone>(record->events[5].body).output, "a\n\"b\" \xC3\xA9");
  std::vector<double> values;
  ASSERT_TRUE(ReadSamples(directory, [&](const Sample& s) { values.push_back(*s.value); }));
  EXPECT_THAT(values, testing::ElementsAre(12.5));
}

TEST(Writer, NamesAreSafe) {
  const ScratchFolder folder;
  Header header = SmallHeader();
  for (const char* name : {"../../etc/passwd", "a b\n\x1b[31m", "", "...", "-rf"}) {
    header.name = name;
    auto writer = Writer::Create(folder.path(), {}, header);
    ASSERT_TRUE(writer) << writer.error().message;
    EXPECT_EQ((*writer)->directory().parent_path(), folder.path()) << name;
    EXPECT_THAT((*writer)->directory().filename().string(),
                testing::MatchesRegex("[a-zA-Z0-9][a-zA-Z0-9._-]*"));
    EXPECT_EQ((*writer)->LogPath("../x").parent_path(), (*writer)->directory() / "logs");
  }
}

TEST(Writer, RefusesAFolderThatHoldsSomething) {
  const ScratchFolder folder;
  Write(folder.path() / "precious", "x");
  const auto writer = Writer::Create("unused", folder.path(), SmallHeader());
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().kind, ErrorKind::kInput);
  EXPECT_THAT(writer.error().message, HasSubstr("not empty"));
  ASSERT_TRUE(Writer::Create("unused", folder.path() / "new" / "deep", SmallHeader()));
  fs::create_directory(folder.path() / "empty");
  ASSERT_TRUE(Writer::Create("unused", folder.path() / "empty", SmallHeader()));
}

TEST(Writer, ThreadsDoNotTearEachOthersLines) {
  const ScratchFolder folder;
  auto writer = Writer::Create({}, folder.path(), SmallHeader());
  ASSERT_TRUE(writer);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&writer] {
        for (int k = 0; k < 200; ++k) (*writer)->Append(Event{2000, FullDone()});
      });
    }
  }
  ASSERT_TRUE((*writer)->Close());
  const auto record = Read(folder.path());
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->events.size(), 800u);
}

TEST(Writer, CutsLongOutputAtACharacter) {
  const ScratchFolder folder;
  auto writer = Writer::Create({}, folder.path(), SmallHeader());
  ASSERT_TRUE(writer);
  RequestDone done;
  done.output = std::string(kMaxOutput - 1, 'x') + "\xC3\xA9";
  (*writer)->Append(Event{2000, done});
  const auto record = Read(folder.path());
  ASSERT_TRUE(record);
  EXPECT_EQ(std::get<RequestDone>(record->events[0].body).output, std::string(kMaxOutput - 1, 'x'));
}

// /dev/full fails every write with ENOSPC, like a full disk; reached through the open descriptor.
TEST(Writer, KeepsTheFirstWriteError) {
  ASSERT_EQ(access("/dev/full", W_OK), 0) << "a Linux system has /dev/full";
  const ScratchFolder folder;
  auto writer = Writer::Create({}, folder.path(), SmallHeader());
  ASSERT_TRUE(writer);
  (*writer)->Append(Event{2000, RunStart{"greedy", 0}});
  const std::string wanted = (folder.path() / "events.jsonl").string();
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    if (fs::read_symlink(entry.path(), error) == wanted)
      dup2(full, std::stoi(entry.path().filename().string()));
  }
  close(full);
  (*writer)->Append(Event{2001, RunEnd{"done"}});
  const auto closed = (*writer)->Close();
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().kind, ErrorKind::kFailure);
  EXPECT_THAT(closed.error().message, HasSubstr("No space left"));
  EXPECT_THAT(closed.error().message, HasSubstr("events.jsonl"));
  EXPECT_EQ(Read(folder.path())->events.size(), 1u) << "what was written stays readable";
}

class ReaderTest : public testing::Test {
 protected:
  ReaderTest() {
    header_ = ToJson(SmallHeader());
    PutHeader();
  }
  void PutHeader() { Write(folder_.path() / "run.json", DumpJson(header_)); }
  void PutEvents(std::string_view text) { Write(folder_.path() / "events.jsonl", text); }
  Result<Record> ReadBack() { return Read(folder_.path()); }
  void ExpectError(std::string_view part) {
    const auto record = ReadBack();
    ASSERT_FALSE(record);
    EXPECT_EQ(record.error().kind, ErrorKind::kInput);
    EXPECT_THAT(record.error().message, HasSubstr(part));
  }

  ScratchFolder folder_;
  Json header_;
};

TEST_F(ReaderTest, EmptyEventsAreFine) {
  PutEvents("");
  const auto record = ReadBack();
  ASSERT_TRUE(record);
  EXPECT_TRUE(record->events.empty());
  EXPECT_FALSE(record->torn);
}

TEST_F(ReaderTest, TruncationAnywhereLosesAtMostTheLastLine) {
  const std::string text = Lines(OneOfEach());
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const std::string cut = text.substr(0, size);
    Record record;
    std::istringstream in(cut);
    const auto result = ParseEvents(in, "events.jsonl", record);
    ASSERT_TRUE(result) << size << result.error().message;
    const auto whole = static_cast<std::size_t>(std::count(cut.begin(), cut.end(), '\n'));
    const bool complete =
        size == text.size() || text[size] == '\n' || cut.empty() || cut.back() == '\n';
    EXPECT_EQ(record.torn, !complete) << size;
    EXPECT_EQ(record.events.size(), whole + (size < text.size() && text[size] == '\n' ? 1 : 0));
  }
}

TEST_F(ReaderTest, ZerosAfterAPowerLossAreATornLine) {
  PutEvents(Lines(OneOfEach()) + std::string(100, '\0'));
  const auto record = ReadBack();
  ASSERT_TRUE(record);
  EXPECT_TRUE(record->torn);
  EXPECT_EQ(record->events.size(), OneOfEach().size());
}

TEST_F(ReaderTest, NamesFileAndLineOfWhatIsMalformed) {
  const std::string good = Lines({{1, RunStart{"greedy", 0}}});
  const std::pair<std::string, const char*> cases[] = {
      {good + "{\"t\":\n" + good, "events.jsonl:2: not valid JSON"},
      {good + "\n" + good, "events.jsonl:2: not valid JSON"},
      {good + "[1]\n", "events.jsonl:2: is not an object"},
      {good + good + "{\"t\":1,\"ev\":\"dance\"}\n", "events.jsonl:3: unknown event \"dance\""},
      {good + std::string(100, '[') + "\n", "events.jsonl:2: nested"},
  };
  for (const auto& [text, error] : cases) {
    PutEvents(text);
    ExpectError(error);
  }
}

TEST_F(ReaderTest, LinesAreBounded) {
  PutEvents(Lines({{1, RunStart{"greedy", 0}}}) + std::string(kMaxLine + 1, 'x'));
  ExpectError("events.jsonl:2: line over");
}

TEST_F(ReaderTest, SkipsKindsOfNewerMinorVersions) {
  PutEvents("{\"t\":1,\"ev\":\"dance\",\"to\":[]}\n" + Lines(OneOfEach()));
  header_["minor"] = kSchemaMinor + 1;
  PutHeader();
  const auto record = ReadBack();
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->skipped, 1);
  EXPECT_EQ(record->events.size(), OneOfEach().size());
}

TEST_F(ReaderTest, RefusesOtherMajorVersionsAndOtherFiles) {
  PutEvents("");
  header_["schema"] = "cbench.record/2";
  PutHeader();
  ExpectError("schema cbench.record/2, but this cbench reads cbench.record/1");
  header_["schema"] = "other";
  PutHeader();
  ExpectError("not a record");
  Write(folder_.path() / "run.json", "{}");
  ExpectError("not a record");
  Write(folder_.path() / "run.json", "{\"schema\":");
  ExpectError("run.json: not valid JSON");
  Write(folder_.path() / "run.json", std::string(1 << 20, '['));
  ExpectError("nested");
  header_ = ToJson(SmallHeader());
  header_["device"] = 3;
  PutHeader();
  ExpectError("\"device\" is not an object");
}

TEST_F(ReaderTest, SaysWhatIsMissing) {
  ExpectError("events.jsonl: missing");
  fs::remove(folder_.path() / "run.json");
  ExpectError("run.json: missing or not a file, so this is not a record");
}

TEST_F(ReaderTest, DoesNotWaitForAPipe) {
  ASSERT_EQ(mkfifo((folder_.path() / "events.jsonl").c_str(), 0600), 0);
  ExpectError("not a file");
}

TEST_F(ReaderTest, SamplesMayBeMissingOrTorn) {
  int seen = 0;
  const auto count = [&seen](const Sample&) { ++seen; };
  EXPECT_TRUE(ReadSamples(folder_.path(), count));
  const std::string line = R"({"t":1,"probe":"cpu","name":"busy","unit":"%","value":1})";
  Write(folder_.path() / "samples.jsonl", line + "\n" + line.substr(0, 9));
  EXPECT_TRUE(ReadSamples(folder_.path(), count));
  EXPECT_EQ(seen, 1);
  Write(folder_.path() / "samples.jsonl", line + "\n{}\n");
  const auto bad = ReadSamples(folder_.path(), count);
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, HasSubstr("samples.jsonl:2: \"probe\" is missing"));
}

}  // namespace
}  // namespace cbench::record
