// Launching, with a shell script in the place of `cbench serve` whose "listening" line points to a
// server inside this test.
#include "engine/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <fstream>

#include "base/file.h"
#include "base/testing/scripted_server.h"

namespace cbench::engine {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr char kAnswer[] =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}"
    "\n\n";

// Loads for two questions, then is healthy and answers chats.
ScriptedServer::Script TextServer() {
  return [health = std::make_shared<std::atomic<int>>(0)](Connection& connection) {
    for (std::string request; !(request = connection.ReadRequest()).empty();) {
      if (request.starts_with("GET /health")) {
        const bool loading = ++*health <= 2;
        connection.Answer(loading ? "503 Service Unavailable" : "200 OK",
                          loading ? "{}" : "{\"status\":\"ok\",\"model\":\"m\"}");
      } else if (request.starts_with("GET /v1/models")) {
        connection.Answer("200 OK", "{\"data\":[{\"id\":\"first\"},{\"id\":\"second\"}]}");
      } else {
        connection.Answer("200 OK", kAnswer);
      }
    }
  };
}

class LaunchTest : public testing::Test {
 protected:
  LaunchTest() {
    fs::create_directories(folder_);
    options_.log = folder_ / "log";
    options_.cbench = folder_ / "engine";
    options_.ready_timeout = 60 * kSecond;  // no test gets near it
    options_.progress = [this](std::string_view line) { progress_.emplace_back(line); };
    options_.on_exit = [this](int status) {
      exit_status_ = status;
      exited_.Trigger();
    };
    spec_.name = "text";
    spec_.use = "embedded-text";
    spec_.model = "synth:x";
    spec_.mark = {"s.yaml", 4, 3};
  }
  ~LaunchTest() override { fs::remove_all(folder_); }

  void WriteEngine(const std::string& script) {
    ASSERT_TRUE(WriteFileAtomic(folder_ / "engine", "#!/bin/sh\necho \"$@\" >&2\n" + script));
    fs::permissions(folder_ / "engine", fs::perms::owner_all);
  }
  void WriteEngineOf(const ScriptedServer& server, const std::string& then = "cat") {
    WriteEngine(fmt::format("echo '{{\"event\":\"listening\",\"url\":\"{}\"}}'\n{}\n",
                            server.url(""), then));
  }
  Result<std::unique_ptr<Running>> Start() {
    return Launch(spec_, Modality::kText, options_, cancel_);
  }

  const fs::path folder_ = fs::temp_directory_path() / fmt::format("cbench-launch-{}", getpid());
  scenario::EngineSpec spec_;
  LaunchOptions options_;
  Cancel cancel_, exited_;
  std::vector<std::string> progress_;  // the keeper thread's until Launch has returned
  std::atomic<int> exit_status_ = -1;
};

TEST_F(LaunchTest, WaitsForTheFirstRealAnswer) {
  ScriptedServer server(TextServer());
  WriteEngineOf(server);
  spec_.quant = "q4_0";
  spec_.kv_offload = false;
  auto running = Start();
  ASSERT_TRUE(running) << running.error().message;
  EXPECT_EQ((*running)->facts(), Json({{"model", "m"}}));
  EXPECT_GT((*running)->load_time(), 0);
  EXPECT_EQ(kill((*running)->pid(), 0), 0);
  ChatRequest request;
  request.messages = {{"user", "hi", {}, nullptr}};
  EXPECT_EQ((*running)->engine().Chat(request, cancel_).content, "a");
  (*running)->Stop();
  (*running)->Stop();
  EXPECT_EQ(kill((*running)->pid(), 0), -1) << "stopped and reaped";
  EXPECT_EQ(exit_status_, -1) << "a stop that was asked for is no crash";
  EXPECT_THAT(ReadFile(options_.log).value(),
              HasSubstr("serve --modality text --model synth:x --port 0 --quant q4_0 --parallel 1 "
                        "--context 4096 --threads 0 --device auto --no-kv-offload "
                        "--exit-with-parent"));
}

TEST_F(LaunchTest, RelaysProgress) {
  ScriptedServer server(TextServer());
  WriteEngine(fmt::format(
      "echo '{{\"event\":\"progress\",\"what\":\"making x\",\"done\":1024,\"total\":4096}}'\n"
      "echo '{{\"event\":\"progress\",\"what\":\"loading\"}}'\necho noise\necho '{{torn'\n"
      "echo '{{\"event\":\"listening\",\"url\":\"{}\"}}'\ncat\n",
      server.url("")));
  ASSERT_TRUE(Start());
  EXPECT_THAT(progress_, testing::ElementsAre("making x: 1 KiB of 4 KiB", "loading"));
}

TEST_F(LaunchTest, ShowsTheLogOfAnEngineThatDies) {
  WriteEngine("echo 'cannot read the model' >&2\nexit 1\n");
  const auto running = Start();
  ASSERT_FALSE(running);
  EXPECT_EQ(running.error().kind, ErrorKind::kFailure);
  EXPECT_THAT(running.error().message,
              AllOf(HasSubstr("s.yaml:4:3: engine 'text' ended before it was ready: exit status 1"),
                    HasSubstr("cannot read the model")));
}

TEST_F(LaunchTest, CallsTheEnginesUsageErrorAnInputError) {
  WriteEngine("exit 2\n");
  EXPECT_EQ(Start().error().kind, ErrorKind::kInput);
}

TEST_F(LaunchTest, FailsWhenTheFirstAnswerFails) {
  ScriptedServer server([](Connection& connection) {
    while (!connection.ReadRequest().empty()) connection.Answer("200 OK", "{\"error\":\"no\"}");
  });
  WriteEngineOf(server);
  const auto running = Start();
  ASSERT_FALSE(running);
  EXPECT_THAT(running.error().message, HasSubstr("a first real request failed (in-band): no"));
}

TEST_F(LaunchTest, FailsAtTheTimeout) {
  WriteEngine("cat\n");
  options_.ready_timeout = 20 * kMillisecond;
  const auto running = Start();
  ASSERT_FALSE(running);
  EXPECT_THAT(running.error().message, HasSubstr("is not ready"));
}

TEST_F(LaunchTest, CancelStopsTheStart) {
  WriteEngine("echo '{\"event\":\"progress\",\"what\":\"loading\"}'\ncat\n");
  options_.progress = [this](std::string_view) { cancel_.Trigger(); };
  const auto running = Start();
  ASSERT_FALSE(running);
  EXPECT_THAT(running.error().message, HasSubstr("start cancelled"));
}

TEST_F(LaunchTest, TellsOfADeathUnasked) {
  ScriptedServer server(TextServer());
  WriteEngineOf(server);
  const auto running = Start();
  ASSERT_TRUE(running) << running.error().message;
  kill((*running)->pid(), SIGKILL);
  ASSERT_TRUE(exited_.WaitUntil(Now() + 60 * kSecond));
  EXPECT_EQ(exit_status_, SIGKILL);
}

TEST_F(LaunchTest, AttachesAndLeavesAlone) {
  ScriptedServer server(TextServer());
  spec_.use.clear();
  spec_.model.clear();
  spec_.attach = server.url("/v1");
  auto running = Start();
  ASSERT_TRUE(running) << running.error().message;
  EXPECT_EQ((*running)->pid(), 0);
  EXPECT_EQ((*running)->engine().spec().model, "first");
  EXPECT_EQ((*running)->facts()["models"].size(), 2u);
  (*running)->Stop();
}

TEST_F(LaunchTest, NamesWhatCannotBeAttached) {
  spec_.use.clear();
  {
    const ScriptedServer gone([](Connection&) {});
    spec_.attach = gone.url("/v1");
  }
  EXPECT_THAT(Start().error().message,
              AllOf(HasSubstr("nothing answers"), HasSubstr(spec_.attach)));
  spec_.attach = "http://10.0.0.1/v1";
  EXPECT_EQ(Start().error().kind, ErrorKind::kInput);
}

TEST_F(LaunchTest, NamesUnknownUsesAndProtocols) {
  spec_.use = "llama-server";
  auto running = Start();
  EXPECT_EQ(running.error().kind, ErrorKind::kInput);
  EXPECT_THAT(running.error().message, AllOf(HasSubstr("llama-server"), HasSubstr("embedded-text"),
                                             HasSubstr("s.yaml:4:3")));
  ScriptedServer server(TextServer());
  spec_.attach = server.url("/v1");
  spec_.protocol = "smoke";
  running = Start();
  EXPECT_EQ(running.error().kind, ErrorKind::kInput);
  EXPECT_THAT(running.error().message, HasSubstr("openai"));
}

TEST(ModalityOf, FollowsTheEngineThenItsFirstUser) {
  scenario::EngineSpec spec;
  spec.use = "embedded-image";
  EXPECT_EQ(ModalityOf(spec, scenario::AppType::kChatbot), Modality::kImage);
  spec.use.clear();
  EXPECT_EQ(ModalityOf(spec, scenario::AppType::kChatbot), Modality::kText);
  EXPECT_EQ(ModalityOf(spec, scenario::AppType::kLiveCaptions), Modality::kSpeech);
  EXPECT_EQ(ModalityOf(spec, scenario::AppType::kImageGen), Modality::kImage);
}

}  // namespace
}  // namespace cbench::engine
