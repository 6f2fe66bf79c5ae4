// What the loader makes of good files: defaults, derived engines, twins, missing files, JSON.
#include "scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"
#include "base/testing/scratch_folder.h"
#include "scenario/yaml_tree.h"

namespace cbench::scenario {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const fs::path kConformance = fs::path(CBENCH_SOURCE_DIR) / "tests/conformance/scenario";

Scenario LoadCase(const std::string& name, Synthetic synthetic = Synthetic::kOff) {
  auto scenario = Load(kConformance / (name + ".yaml"), {synthetic});
  EXPECT_TRUE(scenario) << scenario.error().message;
  return scenario.value_or(Scenario{});
}

std::vector<std::string> Targets(const AppSpec& app) {
  std::vector<std::string> targets;
  for (const Slo& slo : app.slo) {
    targets.push_back(fmt::format("{}={} ms", Name(slo.metric), slo.target / kMillisecond));
  }
  return targets;
}

TEST(Scenario, NativeKeysAndDefaults) {
  const Scenario s = LoadCase("ok_native");
  EXPECT_EQ(s.name, "small");
  EXPECT_THAT(s.strategies, ElementsAre(Strategy::kGreedy, Strategy::kCredit));
  EXPECT_EQ(s.repeat, 2);
  EXPECT_EQ(s.warmup, 0);
  EXPECT_EQ(s.seed, 7u);
  EXPECT_EQ(s.FindEngine("text")->parallel, 2);  // two apps use it
  EXPECT_THAT(Targets(*s.FindApp("a")), ElementsAre("ttft=2000 ms"));
  EXPECT_EQ(s.FindApp("a")->timeout, 300 * kSecond);
  EXPECT_EQ(s.FindApp("b")->priority_class, PriorityClass::kBackground);
  EXPECT_TRUE(s.FindApp("b")->slo.empty());
  EXPECT_EQ(s.FindTask("one")->requests, 1);
  EXPECT_EQ(s.FindTask("two")->requests, 3);
  EXPECT_EQ(s.FindTask("none"), nullptr);
}

TEST(Scenario, SloFormsReplaceTheDefaults) {
  const Scenario s = LoadCase("ok_slo_forms");
  EXPECT_THAT(Targets(*s.FindApp("a")), ElementsAre("ttft=1000 ms", "tpot=250 ms", "e2e=30000 ms"));
  EXPECT_TRUE(s.FindApp("b")->slo.empty());
}

TEST(Scenario, OriginalDialectSharesTheTextEngine) {
  const Scenario s = LoadCase("ok_original");
  EXPECT_EQ(s.dialect, Dialect::kOriginal);
  EXPECT_EQ(s.name, "ok_original");
  ASSERT_EQ(s.engines.size(), 1u);
  EXPECT_EQ(s.engines[0].use, "embedded-text");
  EXPECT_EQ(s.engines[0].model, "models/Llama-3.2-3B-Instruct-f16.gguf");
  EXPECT_EQ(s.engines[0].device, "gpu");
  EXPECT_EQ(s.engines[0].parallel, 2);
  EXPECT_EQ(s.FindApp("Writer (chatbot)")->requests, 5);
  EXPECT_EQ(s.FindApp("Writer (chatbot)")->partition_percent, 50);
  EXPECT_THAT(Targets(*s.FindApp("Writer (chatbot)")), ElementsAre("ttft=1000 ms", "tpot=250 ms"));
  EXPECT_EQ(s.FindApp("pause")->duration, 500 * kMillisecond);
  EXPECT_THAT(s.FindTask("read")->after, ElementsAre("write text"));
  EXPECT_TRUE(s.FindTask("write text")->after.empty());
}

TEST(Scenario, OriginalDialectBackgroundTaskMakesItsAppBackground) {
  const auto s =
      Parse("c: {type: Chatbot}\nworkflows:\n  t:\n    uses: c\n    background: true\n", "x.yaml");
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->apps[0].priority_class, PriorityClass::kBackground);
  EXPECT_EQ(s->engines[0].model, "synth:llama-3.2-3b");  // none named
}

TEST(Scenario, EnginesDifferByModelAndDevice) {
  const auto s = Parse(
      "a: {type: Chatbot, device: gpu}\nb: {type: Chatbot, device: cpu}\n"
      "c: {type: chatbot, device: cpu}\nd: {type: ImageGen}\ne: {type: ImageGen, model: other}\n"
      "workflows: {t: {uses: a}}\n",
      "x.yaml");
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->FindApp("a")->engine, "text");
  EXPECT_EQ(s->FindApp("b")->engine, "text-2");
  EXPECT_EQ(s->FindApp("c")->engine, "text-2");
  EXPECT_EQ(s->FindApp("d")->engine, "image");
  EXPECT_EQ(s->FindApp("e")->engine, "image-2");
  EXPECT_EQ(s->FindEngine("text-2")->parallel, 2);
  EXPECT_EQ(s->FindEngine("image")->parallel, 1);
}

TEST(Scenario, ListFormNamesAndReferences) {
  const Scenario s = LoadCase("ok_list");
  EXPECT_EQ(s.dialect, Dialect::kList);
  EXPECT_EQ(s.name, "two_chats");
  ASSERT_EQ(s.tasks.size(), 3u);
  EXPECT_EQ(s.tasks[0].name, "chatbot");
  EXPECT_EQ(s.tasks[1].name, "7");
  EXPECT_THAT(s.tasks[1].after, ElementsAre("chatbot"));
  EXPECT_THAT(s.tasks[2].after, ElementsAre("7", "chatbot"));
  EXPECT_EQ(s.FindApp("subtitles")->type, AppType::kLiveCaptions);
}

TEST(Scenario, TopologicalOrderKeepsFileOrderWhereItCan) {
  const auto s = Parse(
      "consumerbench: 1\napps: {a: {type: sleep}}\nworkflow:\n"
      "  last: {app: a, after: [mid]}\n  first: {app: a}\n  mid: {app: a, after: first}\n"
      "  free: {app: a}\n",
      "x.yaml");
  ASSERT_TRUE(s) << s.error().message;
  std::vector<std::string> names;
  for (const TaskSpec* task : TopologicalOrder(*s)) names.push_back(task->name);
  EXPECT_THAT(names, ElementsAre("first", "mid", "last", "free"));
}

std::string TwinModel(const std::string& type, const std::string& model, Synthetic size) {
  const auto s = Parse(
      fmt::format("a: {{type: {}, device: gpu, model: '{}'}}\nworkflows: {{t: {{uses: a}}}}\n",
                  type, model),
      "x.yaml", {size});
  EXPECT_TRUE(s) << s.error().message;
  if (!s) return "";
  EXPECT_EQ(s->engines[0].device, "auto");
  return s->engines[0].model;
}

TEST(Synthetic, TwinsKeepTheArchitectureTheNameTells) {
  const auto full = Synthetic::kFull, demo = Synthetic::kDemo;
  EXPECT_EQ(TwinModel("chatbot", "m/Llama-3.2-1B-Instruct-Q4.gguf", full), "synth:llama-3.2-1b");
  EXPECT_EQ(TwinModel("chatbot", "m/Llama_3.2_3B.gguf", demo), "synth:llama-3.2-3b-demo");
  EXPECT_EQ(TwinModel("chatbot", "Qwen3-0.6B-Q8_0.gguf", full), "synth:qwen3-0.6b");
  EXPECT_EQ(TwinModel("chatbot", "some-unknown-7b.gguf", full), "synth:llama-3.2-3b");
  EXPECT_EQ(TwinModel("chatbot", "synth:qwen3-0.6b", demo), "synth:qwen3-0.6b-demo");
  EXPECT_EQ(TwinModel("chatbot", "synth:qwen3-0.6b-demo", full), "synth:qwen3-0.6b");
  EXPECT_EQ(TwinModel("live_captions", "ggml-tiny.en.bin", full), "synth:whisper-tiny");
  EXPECT_EQ(TwinModel("live_captions", "ggml-base.bin", demo), "synth:whisper-base-demo");
  EXPECT_EQ(TwinModel("live_captions", "x.bin", full), "synth:whisper-large-v3-turbo");
  EXPECT_EQ(TwinModel("imagegen", "/m/stable-diffusion-3.5-medium-turbo", demo),
            "synth:sd3.5-medium-demo");
  EXPECT_EQ(TwinModel("imagegen", "synth:sd3.5-medium-turbo", demo),
            "synth:sd3.5-medium-turbo-demo");
}

TEST(Synthetic, LeavesAttachedEnginesAlone) {
  EXPECT_EQ(LoadCase("ok_attached", Synthetic::kDemo).engines[0].model, "llama3.2:3b");
}

TEST(MissingModels, NamesThePlaceAndBothWaysOut) {
  const Scenario s = LoadCase("ok_original");
  const auto missing = MissingModels(s);
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].kind, ErrorKind::kFailure);
  EXPECT_THAT(missing[0].message, HasSubstr("ok_original.yaml:3:12: engine 'text'"));
  EXPECT_THAT(missing[0].message, HasSubstr("--synthetic"));
  EXPECT_THAT(missing[0].message, HasSubstr("model:"));
  EXPECT_TRUE(MissingModels(LoadCase("ok_original", Synthetic::kDemo)).empty());
}

TEST(MissingModels, FindsFilesBesideTheScenario) {
  const ScratchFolder folder;
  folder.Write("there.gguf", "x");
  folder.Write("talk.wav", "x");
  const fs::path file =
      folder.Write("s.yaml",
                   "consumerbench: 1\nengines:\n  text: {use: embedded-text, model: there.gguf}\n"
                   "  speech: {use: embedded-speech, model: 'synth:whisper-tiny'}\napps:\n"
                   "  a: {type: chatbot, engine: text, prompts: nowhere.jsonl}\n"
                   "  b: {type: live_captions, engine: speech, audio: talk.wav}\n"
                   "workflow: {t: {app: a}}\n");
  const auto s = Load(file);
  ASSERT_TRUE(s) << s.error().message;
  EXPECT_EQ(s->engines[0].model, (file.parent_path() / "there.gguf").string());
  const auto missing = MissingModels(*s);
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_THAT(missing[0].message, HasSubstr("prompts file 'nowhere.jsonl'"));
  const auto synthetic = Load(file, {Synthetic::kFull});
  ASSERT_TRUE(synthetic);
  EXPECT_EQ(synthetic->apps[0].prompts, "");
  EXPECT_EQ(synthetic->apps[1].audio, "talk.wav");
  EXPECT_TRUE(MissingModels(*synthetic).empty());
}

TEST(ToJson, HoldsWhatAReportNeeds) {
  const Json json = ToJson(LoadCase("ok_native"));
  EXPECT_EQ(json["strategies"], (Json{"greedy", "credit"}));
  EXPECT_EQ(json["engines"][0]["name"], "text");
  EXPECT_EQ(json["apps"][0]["class"], "latency");
  EXPECT_EQ(json["apps"][0]["slo"]["ttft"], 2.0);
  EXPECT_EQ(json["apps"][0]["timeout_s"], 300.0);
  EXPECT_EQ(json["apps"][1]["slo"], Json::object());
  EXPECT_EQ(json["tasks"][1],
            (Json{{"name", "two"}, {"app", "b"}, {"requests", 3}, {"after", {"one"}}}));
}

TEST(Load, RefusesWhatIsNoFile) {
  const ScratchFolder folder;
  EXPECT_EQ(Load("/nowhere/at/all.yaml").error().kind, ErrorKind::kInput);
  EXPECT_THAT(Load("/tmp").error().message, HasSubstr("directory"));
  const fs::path big = folder.Write("big.yaml", std::string(10u << 20, '#'));
  EXPECT_THAT(Load(big).error().message, HasSubstr("over the limit"));
}

// Each of these has brought down a YAML parser somewhere.
TEST(Parse, SurvivesHostileText) {
  const std::vector<std::string> texts = {
      std::string(kMaxScenarioBytes, '['), std::string(kMaxScenarioBytes, '{'),
      std::string(kMaxScenarioBytes, '-'), std::string(200'000, '?'),
      std::string(200'000, '\n'),          "a: " + std::string(250'000, '"'),
      "%TAG ! " + std::string(9000, 'a'),  "a: |\n" + std::string(9000, ' ')};
  for (const std::string& text : texts) {
    const auto s = Parse(text, "hostile.yaml");
    ASSERT_FALSE(s);
    EXPECT_THAT(s.error().message, testing::StartsWith("hostile.yaml:"));
  }
  std::string steps;
  for (int i = 0; i < 20'000; ++i) steps += "- ";
  EXPECT_FALSE(Parse(steps, "hostile.yaml"));
  std::string many = "a:\n";
  for (int i = 0; i < 20'000; ++i) many += fmt::format(" k{}: 1\n", i);
  EXPECT_THAT(Parse(many, "hostile.yaml").error().message, HasSubstr("more than 10000 values"));
}

TEST(Strategies, ListsAndMistakes) {
  EXPECT_THAT(*ParseStrategies("credit,nice"), ElementsAre(Strategy::kCredit, Strategy::kNice));
  EXPECT_THAT(*ParseStrategies("credit-no-slack,credit-no-split"),
              ElementsAre(Strategy::kCreditNoSlack, Strategy::kCreditNoSplit));
  EXPECT_THAT(ParseStrategies("").error().message, HasSubstr("unknown strategy ''"));
  EXPECT_THAT(ParseStrategies("greedy,credti").error().message, HasSubstr("did you mean 'credit'"));
}

}  // namespace
}  // namespace cbench::scenario
