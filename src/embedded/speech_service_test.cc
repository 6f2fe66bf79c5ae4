#include <gtest/gtest.h>
#include <httplib.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "embedded/httplib_testing.h"
#include "embedded/loopback_server.h"
#include "embedded/server.h"
#include "embedded/speech_test_model.h"
#include "embedded/speech_test_sounds.h"

namespace cbench::embedded {
namespace {

constexpr int kRate = 16000;
constexpr char kPath[] = "/v1/audio/transcriptions";

// Stops before the pass numbered `hold` until released, so that a test can act in mid-request.
class HoldingHook final : public share::StepHook {
 public:
  void Begin(const share::StepInfo& step) override {
    std::unique_lock lock(mutex_);
    deadline_ = step.deadline;
    if (++passes_ != hold_) return;
    held_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !held_; });
  }
  void End(const share::StepInfo&) override {}

  void HoldAt(int pass) {
    const std::scoped_lock lock(mutex_);
    hold_ = pass;
  }
  void WaitUntilHeld() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_; });
  }
  void Release() {
    const std::scoped_lock lock(mutex_);
    held_ = false;
    changed_.notify_all();
  }
  int passes() {
    const std::scoped_lock lock(mutex_);
    return passes_;
  }
  Nanos deadline() {
    const std::scoped_lock lock(mutex_);
    return deadline_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int passes_ = 0, hold_ = 0;  // guarded by mutex_, as all below
  bool held_ = false;
  Nanos deadline_ = 0;
};

class SpeechServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    ServeOptions options;
    options.modality = "speech";
    options.model = MakeTestModel("q8_0");
    options.device = "cpu";
    options.threads = 1;
    auto service = MakeSpeechService(options, hook_);
    ASSERT_TRUE(service) << service.error().message;
    service_ = std::move(*service);
    service_->AddRoutes(server_);
    const auto port = server_.Bind(0);
    ASSERT_TRUE(port) << port.error().message;
    port_ = *port;
    thread_ = std::thread([this] { server_.Run(); });
    SendFirstRequest(port_);
  }
  void TearDown() override {
    server_.Stop();
    if (thread_.joinable()) thread_.join();
  }

  httplib::MultipartFormDataItems Form(const std::string& file) const {
    return {{"file", file, "talk.wav", "audio/wav"}, {"language", "en", "", ""}};
  }
  httplib::Result Post(const httplib::MultipartFormDataItems& form) const {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(30);
    return client.Post(kPath, {{share::kDeadlineHeader, "123456789"}}, form);
  }
  static Json Body(const httplib::Result& result) { return Json::parse(result->body); }
  static std::string ErrorOf(const httplib::Result& result) {
    return Body(result)["error"]["message"].get<std::string>();
  }

  const std::string wav_ = EncodeAudio(Tone(2, 440, kRate), kRate, 1, Container::kWav);
  HoldingHook hook_;
  std::unique_ptr<Service> service_;
  LoopbackServer server_{8};
  int port_ = 0;
  std::thread thread_;
};

TEST_F(SpeechServiceTest, AnswersWithTextAndUsage) {
  const auto result = Post(Form(wav_));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 200) << result->body;
  const Json body = Body(result);
  EXPECT_FALSE(body["text"].get<std::string>().empty());
  EXPECT_EQ(body["usage"]["type"], "tokens");
  EXPECT_EQ(body["usage"]["output_tokens"], 33);
  EXPECT_EQ(hook_.passes(), 34);
  EXPECT_EQ(hook_.deadline(), 123456789);
}

TEST_F(SpeechServiceTest, VerboseJsonHasDurationSegmentsAndTimings) {
  auto form = Form(EncodeAudio(Tone(2, 440, 44100), 44100, 2, Container::kFlac));
  form.push_back({"response_format", "verbose_json", "", ""});
  form.push_back({"model", "whisper-1", "", ""});
  form.push_back({"temperature", "0.5", "", ""});
  form.push_back({"prompt", "A talk about time.", "", ""});
  const auto result = Post(form);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->status, 200) << result->body;
  const Json body = Body(result);
  EXPECT_NEAR(body["duration"].get<double>(), 2, 0.01);
  EXPECT_EQ(body["language"], "english");
  EXPECT_EQ(body["segments"].size(), 1u);
  EXPECT_EQ(body["timings"]["encoder_passes"], 1);
  EXPECT_EQ(body["timings"]["decoder_passes"], 33);
  EXPECT_GT(body["timings"]["encode_s"].get<double>(), 0);
  EXPECT_GE(body["timings"]["total_s"].get<double>(), body["timings"]["decode_s"].get<double>());
}

TEST_F(SpeechServiceTest, PlainTextIsValidUtf8) {
  auto form = Form(wav_);
  form.push_back({"response_format", "text", "", ""});
  const auto result = Post(form);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 200);
  EXPECT_NO_THROW(static_cast<void>(Json(result->body).dump()));  // strict about UTF-8
}

TEST_F(SpeechServiceTest, EachWrongFieldIsNamed) {
  const auto refuse = [&](const char* name, const char* value) {
    auto form = Form(wav_);
    if (name == std::string("language")) form.pop_back();
    form.push_back({name, value, "", ""});
    const auto result = Post(form);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->status, 400) << name;
    EXPECT_EQ(Body(result)["error"]["type"], "invalid_request_error");
    EXPECT_EQ(ErrorOf(result).find(name), 0u) << ErrorOf(result);
  };
  refuse("response_format", "srt");
  refuse("temperature", "hot");
  refuse("temperature", "-1");
  refuse("language", "klingon");
  refuse("stream", "true");
}

TEST_F(SpeechServiceTest, WrongFilesAreRefused) {
  for (const std::string& file : {std::string(), std::string("RIFF but then nothing useful")}) {
    const auto result = Post(Form(file));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->status, 400);
    EXPECT_EQ(ErrorOf(result).find("file:"), 0u) << ErrorOf(result);
  }
  httplib::Client client("127.0.0.1", port_);
  const auto json = client.Post(kPath, R"({"file": "x"})", "application/json");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->status, 400);
  EXPECT_EQ(hook_.passes(), 0);
}

TEST_F(SpeechServiceTest, RequestsAtOnceAreServedOneByOne) {
  std::vector<std::string> texts(5);
  std::vector<std::thread> clients;
  for (std::string& text : texts) {
    clients.emplace_back([this, &text] {
      const auto result = Post(Form(wav_));
      if (result && result->status == 200) text = Body(result)["text"];
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_FALSE(texts[0].empty());
  for (const std::string& text : texts) EXPECT_EQ(text, texts[0]);
  EXPECT_EQ(hook_.passes(), 5 * 34);
}

TEST_F(SpeechServiceTest, ShutdownEndsTheRequestInFlightAndThoseWaiting) {
  hook_.HoldAt(10);
  int statuses[2] = {};
  const auto ask = [this](int& status) {
    const auto result = Post(Form(wav_));
    if (result) status = result->status;
  };
  std::thread first(ask, std::ref(statuses[0]));
  hook_.WaitUntilHeld();
  std::thread second(ask, std::ref(statuses[1]));
  service_->Shutdown();
  hook_.Release();
  first.join();
  second.join();
  EXPECT_EQ(statuses[0], 503);
  EXPECT_EQ(statuses[1], 503);
  EXPECT_EQ(hook_.passes(), 10);
}

TEST_F(SpeechServiceTest, AClientThatHangsUpFreesTheEngine) {
  hook_.HoldAt(5);
  std::thread([this] {
    httplib::Client client("127.0.0.1", port_);
    std::thread asking([&] { EXPECT_FALSE(client.Post(kPath, Form(wav_))); });
    hook_.WaitUntilHeld();
    client.stop();
    asking.join();
  }).join();
  hook_.Release();
  const auto next = Post(Form(wav_));
  ASSERT_TRUE(next);
  EXPECT_EQ(next->status, 200);
  EXPECT_EQ(hook_.passes(), 5 + 34);
}

TEST_F(SpeechServiceTest, FactsSayWhatRuns) {
  const Json facts = service_->Facts();
  EXPECT_EQ(facts["modality"], "speech");
  EXPECT_EQ(facts["synthetic"], true);
  EXPECT_EQ(facts["wait"], "passive");
  EXPECT_FALSE(facts["libraries"]["whisper"].get<std::string>().empty());
}

}  // namespace
}  // namespace cbench::embedded
