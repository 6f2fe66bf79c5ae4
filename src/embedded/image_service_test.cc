// The image engine over HTTP, in process.
#include <httplib.h>
#include <png.h>

#include <condition_variable>
#include <future>

#include "base/json.h"
#include "embedded/httplib_testing.h"
#include "embedded/image_testing.h"
#include "embedded/loopback_server.h"
#include "embedded/server.h"

namespace cbench::embedded {
namespace {

// Lets steps pass until told to hold them; Wait returns when one is held.
class GateHook final : public share::StepHook {
 public:
  void Begin(const share::StepInfo&) override {
    std::unique_lock lock(mutex_);
    ++begun_;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::seconds(30), [this] { return !closed_; });
  }
  void End(const share::StepInfo&) override {}
  void Close() { Set(true); }
  void Open() { Set(false); }
  void WaitForSteps(int count) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(30), [&] { return begun_ >= count; }));
  }
  int begun() {
    const std::lock_guard lock(mutex_);
    return begun_;
  }

 private:
  void Set(bool closed) {
    {
      const std::lock_guard lock(mutex_);
      closed_ = closed;
    }
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  int begun_ = 0;
};

class ImageServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    ServeOptions options;
    options.modality = "image";
    options.model = TestModel("q8_0");
    options.device = "cpu";
    options.threads = 2;
    auto service = MakeImageService(options, hook_);
    ASSERT_TRUE(service) << service.error().message;
    service_ = std::move(*service);
    service_->AddRoutes(server_);
    auto port = server_.Bind(0);
    ASSERT_TRUE(port) << port.error().message;
    port_ = *port;
    serving_ = std::thread([this] { server_.Run(); });
    SendFirstRequest(port_);
  }
  void TearDown() override {
    hook_.Open();
    service_->Shutdown();
    server_.Stop();
    serving_.join();
  }

  httplib::Result Post(const std::string& body, const httplib::Headers& headers = {}) const {
    httplib::Client client("127.0.0.1", port_);
    client.set_read_timeout(60);
    return client.Post("/v1/images/generations", headers, body, "application/json");
  }

  // The events' bodies, [DONE] last.
  static std::vector<std::string> Events(const std::string& stream) {
    std::vector<std::string> events;
    for (std::size_t start = 0; start < stream.size();) {
      const std::size_t end = stream.find("\n\n", start);
      EXPECT_EQ(stream.compare(start, 6, "data: "), 0);
      events.push_back(stream.substr(start + 6, end - start - 6));
      start = end + 2;
    }
    return events;
  }

  GateHook hook_;
  LoopbackServer server_{8};
  std::unique_ptr<Service> service_;
  int port_ = 0;
  std::thread serving_;
};

constexpr char kBody[] = R"({"prompt": "a cat", "size": "64x64", "steps": 2, "seed": 5)";

TEST_F(ImageServiceTest, AnswersWithPngsInBase64) {
  const auto reply = Post(std::string(kBody) + R"(, "n": 2})");
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->status, 200) << reply->body;
  const Json body = *ParseJson(reply->body, "reply");
  ASSERT_EQ(body["data"].size(), 2u);
  EXPECT_GT(body["created"].get<std::int64_t>(), 1'700'000'000);
  EXPECT_EQ(body["data"][0]["b64_json"].get<std::string>().rfind("iVBORw0KGgo", 0), 0u);
  EXPECT_NE(body["data"][0]["b64_json"], body["data"][1]["b64_json"]);
  EXPECT_EQ(body["data"][1]["seed"], 6);
}

TEST_F(ImageServiceTest, StreamsOneEventAStepAndThenTheSameImage) {
  const auto reply = Post(std::string(kBody) + R"(, "stream": true})");
  ASSERT_TRUE(reply);
  ASSERT_EQ(reply->status, 200);
  EXPECT_EQ(reply->get_header_value("Content-Type"), "text/event-stream");
  const auto events = Events(reply->body);
  ASSERT_EQ(events.size(), 4u) << reply->body;
  for (int step = 1; step <= 2; ++step) {
    const Json event = *ParseJson(events[static_cast<std::size_t>(step - 1)], "event");
    EXPECT_EQ(event["type"], "image_generation.step");
    EXPECT_EQ(event["step"], step);
    EXPECT_EQ(event["total"], 2);
    EXPECT_GT(event["ms"].get<double>(), 0.0);
  }
  const Json completed = *ParseJson(events[2], "event");
  EXPECT_EQ(completed["type"], "image_generation.completed");
  EXPECT_EQ(events[3], "[DONE]");
  const Json whole = *ParseJson(Post(std::string(kBody) + "}")->body, "reply");
  EXPECT_EQ(completed["b64_json"], whole["data"][0]["b64_json"]);
}

TEST_F(ImageServiceTest, RefusesBadRequestsByParameter) {
  for (const auto& [body, text] : std::vector<std::pair<std::string, std::string>>{
           {"{", "body: not valid JSON"},
           {"[]", "body: a JSON object is expected"},
           {R"({"size": "64x64"})", "prompt: a string is required"},
           {R"({"prompt": "a", "size": "65x64", "stream": true})", "size: \"65x64\""}}) {
    const auto reply = Post(body);
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 400);
    const Json error = (*ParseJson(reply->body, "reply"))["error"];
    EXPECT_EQ(error["message"].get<std::string>().rfind(text, 0), 0u) << error;
    EXPECT_EQ(error["type"], "invalid_request_error");
  }
  EXPECT_EQ(hook_.begun(), 0);
}

TEST_F(ImageServiceTest, ShutdownEndsRequestsInFlightWithAnError) {
  hook_.Close();
  auto reply = std::async(std::launch::async, [&] { return Post(std::string(kBody) + "}"); });
  auto stream = std::async(std::launch::async,
                           [&] { return Post(std::string(kBody) + R"(, "stream": true})"); });
  hook_.WaitForSteps(1);
  service_->Shutdown();  // one is being computed and held, the other may wait or not have come yet
  const auto whole = reply.get();
  ASSERT_TRUE(whole);
  EXPECT_GE(whole->status, 500);
  EXPECT_NE(whole->body.find("\"error\""), std::string::npos);
  const auto streamed = stream.get();
  ASSERT_TRUE(streamed);
  EXPECT_NE(streamed->body.find("\"error\""), std::string::npos);
  EXPECT_EQ(Post(std::string(kBody) + "}")->status, 503);
}

TEST_F(ImageServiceTest, AClientThatLeavesCancelsItsImage) {
  hook_.Close();
  {
    httplib::Client client("127.0.0.1", port_);
    auto leaving = std::async(std::launch::async, [&] {
      return client.Post("/v1/images/generations",
                         R"({"prompt": "a", "size": "256x256", "steps": 100, "n": 4})",
                         "application/json");
    });
    hook_.WaitForSteps(1);
    client.stop();
    leaving.get();
  }
  hook_.Open();
  // Served only when the abandoned one has ended, long before its 400 steps are.
  const auto next = Post(std::string(kBody) + "}");
  ASSERT_TRUE(next);
  EXPECT_EQ(next->status, 200);
  EXPECT_LT(hook_.begun(), 400);
}

TEST_F(ImageServiceTest, FactsSayWhatIsRealAndWhatIsNot) {
  const Json facts = service_->Facts();
  EXPECT_EQ(facts["model"], "sd3.5-test");
  EXPECT_EQ(facts["synthetic"], true);
  EXPECT_EQ(facts["text_encoder"], "stand-in");
  EXPECT_EQ(facts["threads"], 2);
  EXPECT_EQ(facts["quant"], "q8_0");
  EXPECT_EQ(facts["wait"], "passive");
  EXPECT_GT(facts["parameters"].get<std::uint64_t>(), 1'000'000u);
}

TEST(MakeImageService, NamesTheModelItCannotFind) {
  const auto hook = share::MakeFreeHook();
  ServeOptions options;
  options.model = "synth:no-such-model";
  const auto service = MakeImageService(options, *hook);
  ASSERT_FALSE(service);
  EXPECT_NE(service.error().message.find("no-such-model"), std::string::npos);
}

}  // namespace
}  // namespace cbench::embedded
