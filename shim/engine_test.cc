// Our own engines, which know their steps, as engines that do not: with their own calls switched
// off, the library has to catch every graph and must not change an answer.
#include <httplib.h>

#include <cmath>
#include <numbers>
#include <thread>

#include "base/json.h"
#include "share/actuators/cpu.h"
#include "shim/testing_program.h"

namespace cbench::shim {
namespace {

// A second of a tone as a WAV file of 16 bits at 16 kHz.
std::string Wav() {
  constexpr int kRate = 16000;
  std::string sound;
  const auto add = [&](std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) sound += static_cast<char>(value >> 8 * i);
  };
  sound += "RIFF";
  add(36 + 2 * kRate, 4);
  sound += "WAVEfmt ";
  for (const auto& [value, bytes] :
       {std::pair{16, 4}, {1, 2}, {1, 2}, {kRate, 4}, {2 * kRate, 4}, {2, 2}, {16, 2}})
    add(static_cast<std::uint64_t>(value), bytes);
  sound += "data";
  add(2 * kRate, 4);
  for (int i = 0; i < kRate; ++i)
    add(static_cast<std::uint16_t>(8000 * std::sin(2 * std::numbers::pi * 440 * i / kRate)), 2);
  return sound;
}

struct Kind {
  const char* modality;
  const char* model;
  httplib::Result (*ask)(httplib::Client& client);
};

httplib::Result AskText(httplib::Client& client) {
  return client.Post("/v1/completions",
                     R"({"prompt": "Once upon a time", "max_tokens": 24, "seed": 7,
                         "temperature": 0.8, "ignore_eos": true})",
                     "application/json");
}
httplib::Result AskSpeech(httplib::Client& client) {
  return client.Post("/v1/audio/transcriptions",
                     httplib::MultipartFormDataItems{{"file", Wav(), "a.wav", "audio/wav"}});
}
httplib::Result AskImage(httplib::Client& client) {
  return client.Post("/v1/images/generations",
                     R"({"prompt": "a lighthouse", "size": "64x64", "steps": 3, "seed": 7})",
                     "application/json");
}

// What is different each time: times, and the ids made of them.
Json Lasting(Json body) {
  for (const char* key : {"id", "created", "timings"}) body.erase(key);
  return body;
}

class Engine {
 public:
  Engine(const Kind& kind, const Environment& environment)
      : run_({CBENCH_BINARY, "serve", "--modality", kind.modality, "--model", kind.model,
              "--threads", "2", "--context", "256", "--device", "cpu", "--exit-with-parent"},
             environment) {
    const std::string line = run_.WaitForLine(
        [](const std::string& text) { return text.find("listening") != text.npos; });
    const std::string url = line.substr(std::min(line.size(), line.rfind("127.0.0.1:") + 10));
    client_.emplace("127.0.0.1", std::atoi(url.c_str()));
    client_->set_read_timeout(100);
    for (const Nanos limit = Now() + kTestLimit; !Ready() && Now() < limit;)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  httplib::Client& client() { return *client_; }
  const RunningProgram& run() const { return run_; }

 private:
  bool Ready() {
    const auto health = client_->Get("/health");
    return health && health->status == 200;
  }

  RunningProgram run_;
  std::optional<httplib::Client> client_;
};

Json Ask(const Kind& kind, Engine& engine) {
  const auto result = kind.ask(engine.client());
  EXPECT_TRUE(result && result->status == 200) << (result ? result->body : "no answer");
  return result ? Lasting(Json::parse(result->body)) : Json();
}

class EngineTest : public testing::TestWithParam<Kind> {
 protected:
  EngineTest() : gate_(*share::Gate::Create({.params = {.back_step = 0}})) {}

  struct Answer {
    Json body;
    std::vector<share::Hold> holds;
  };
  Answer AskBehindGate(const Environment& environment) {
    Engine engine(GetParam(), environment);
    HoldsOf(*gate_);  // the warm-up's
    Json body = Ask(GetParam(), engine);
    EXPECT_EQ(engine.run().Errors(), "");
    return {std::move(body), HoldsOf(*gate_)};
  }

  const std::unique_ptr<share::Gate> gate_;
};

TEST_P(EngineTest, EveryGraphIsCaughtAndTheAnswerIsTheSame) {
  Engine alone(GetParam(), {});
  const Json answer = Ask(GetParam(), alone);
  const auto steps = AskBehindGate({{share::kGateVariable, gate_->path()}});
  const auto graphs = AskBehindGate(Behind(*gate_, {{share::kHookVariable, "off"}}));
  EXPECT_EQ(answer, steps.body);
  EXPECT_EQ(answer, graphs.body);
  // libwhisper computes an encoder step as three graphs; every other step is one.
  std::size_t expected = 0;
  for (const auto& hold : steps.holds) expected += hold.kind == share::StepKind::kEncode ? 3 : 1;
  EXPECT_EQ(graphs.holds.size(), expected);
  for (const auto& hold : graphs.holds) EXPECT_EQ(hold.kind, share::StepKind::kGraph);
  RecordProperty("graphs", static_cast<int>(graphs.holds.size()));
}

TEST_P(EngineTest, AnEngineThatAsksByItselfIsNotAskedForTwice) {
  const auto steps = AskBehindGate(Behind(*gate_));
  EXPECT_FALSE(steps.holds.empty());
  for (const auto& hold : steps.holds) EXPECT_NE(hold.kind, share::StepKind::kGraph);
}

INSTANTIATE_TEST_SUITE_P(Modality, EngineTest,
                         testing::Values(Kind{"text", "synth:llama-test", AskText},
                                         Kind{"speech", "synth:whisper-test", AskSpeech},
                                         Kind{"image", "synth:sd3.5-test", AskImage}),
                         [](const auto& kind) { return std::string(kind.param.modality); });

// The first graph of a program of the back lane always starts aside: nobody knows what it takes.
TEST(EngineLanesTest, AGraphOfABackgroundEngineYieldsIfTheKernelLets) {
  const bool available = share::CpuLanes::Available().has_value();
  const auto gate = *share::Gate::Create({.lanes = {1, 1, 2, true}, .kernel_lanes = true});
  const Kind text{"text", "synth:llama-test", AskText};
  const auto switches = [&](const char* app_class) {
    Engine engine(text, Behind(*gate, {{share::kHookVariable, "off"},
                                       {share::kAppVariable, app_class},
                                       {share::kClassVariable, app_class}}));
    Ask(text, engine);
    const auto holds = HoldsOf(*gate);
    return std::count_if(holds.begin(), holds.end(),
                         [](const auto& hold) { return hold.switched; });
  };
  EXPECT_EQ(switches("latency"), 0);
  EXPECT_EQ(switches("background") > 0, available);
}

}  // namespace
}  // namespace cbench::shim
