// The protocol over real sockets, against a server that misbehaves on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/testing/scripted_server.h"
#include "engine/registry.h"

namespace cbench::engine {
namespace {

using testing::HasSubstr;

constexpr char kToken[] = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n";
constexpr char kEnd[] =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
    "data: [DONE]\n\n";
// The smallest thing that passes for a PNG here: its signature.
constexpr char kPng[] = "iVBORw0KGgo=";

std::unique_ptr<Engine> MakeEngine(const ScriptedServer& server) {
  Endpoint endpoint;
  endpoint.spec.name = "e";
  endpoint.spec.model = "m";
  endpoint.base_url = server.url("/v1/");
  return kOpenAiProtocol.make(std::move(endpoint));
}

ChatRequest Hello() {
  ChatRequest request;
  request.messages = {{"user", "hi", {}, nullptr}};
  request.max_tokens = 4;
  return request;
}

// Answers each request of each connection with this stream.
ScriptedServer::Script Stream(std::string bytes) {
  return [bytes = std::move(bytes)](Connection& connection) {
    while (!connection.ReadRequest().empty()) {
      connection.SendHead();
      connection.SendChunk(bytes);
      connection.SendLastChunk();
    }
  };
}

std::string FailureKind(const record::RequestDone& done) {
  return done.failure ? done.failure->kind : "";
}

TEST(OpenAi, StreamsAnAnswer) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.SendHead();
    connection.SendChunk(std::string(kToken) + kToken + kEnd);
    connection.SendLastChunk();
  });
  ChatRequest request = Hello();
  request.t_sched = 5;
  request.urgency = {.app = "brainstorm",
                     .priority_class = "latency",
                     .deadline = 123,
                     .per_step = 45,
                     .weight = 0.5,
                     .next_request = 678};
  const Nanos before = Now();
  const ChatAnswer answer = MakeEngine(server)->Chat(request, Cancel());
  EXPECT_EQ(FailureKind(answer.done), "");
  EXPECT_EQ(answer.content, "aa");
  EXPECT_EQ(answer.done.t_sched, 5);
  EXPECT_GE(answer.done.t_send, before);
  EXPECT_GE(answer.done.t_first, answer.done.t_send);
  EXPECT_GE(answer.done.t_end, answer.done.t_last);
  EXPECT_THAT(server.last_request(), HasSubstr("POST /v1/chat/completions HTTP/1.1\r\n"));
  EXPECT_THAT(server.last_request(), HasSubstr("X-Cbench-App: brainstorm\r\n"));
  EXPECT_THAT(server.last_request(), HasSubstr("X-Cbench-Class: latency\r\n"));
  EXPECT_THAT(server.last_request(), HasSubstr("X-Cbench-Deadline: 123\r\n"));
  EXPECT_THAT(server.last_request(), HasSubstr("X-Cbench-Per-Step: 45\r\n"));
  EXPECT_THAT(server.last_request(), HasSubstr("X-Cbench-Weight: 0.5\r\n"));
  EXPECT_THAT(server.last_request(), HasSubstr("X-Cbench-Next: 678\r\n"));
}

TEST(OpenAi, KeepsAPartialAnswerWhenTheStreamStalls) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.SendHead();
    connection.SendChunk(kToken);
    connection.WaitUntilClosed();
  });
  ChatRequest request = Hello();
  request.stall = 20 * kMillisecond;
  const ChatAnswer answer = MakeEngine(server)->Chat(request, Cancel());
  EXPECT_EQ(FailureKind(answer.done), "timeout");
  EXPECT_EQ(answer.content, "a");
  EXPECT_EQ(answer.done.stream_tokens, 1);
  EXPECT_EQ(answer.done.output, "a");
}

TEST(OpenAi, KeepsAPartialAnswerWhenTheConnectionBreaks) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.SendHead();
    connection.SendChunk(kToken);
  });
  const ChatAnswer answer = MakeEngine(server)->Chat(Hello(), Cancel());
  EXPECT_EQ(FailureKind(answer.done), "connect");
  EXPECT_EQ(answer.content, "a");
}

TEST(OpenAi, KeepsAPartialAnswerWhenCancelled) {
  Cancel cancel;
  ScriptedServer server([&cancel](Connection& connection) {
    connection.ReadRequest();
    connection.SendHead();
    connection.SendChunk(kToken);
    cancel.Trigger();
    connection.WaitUntilClosed();
  });
  const ChatAnswer answer = MakeEngine(server)->Chat(Hello(), cancel);
  EXPECT_EQ(FailureKind(answer.done), "cancelled");
}

TEST(OpenAi, FailsOnStatusesWithTheServersWords) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Answer("503 Service Unavailable", "{\"error\":{\"message\":\"Loading model\"}}");
  });
  const ChatAnswer answer = MakeEngine(server)->Chat(Hello(), Cancel());
  EXPECT_EQ(FailureKind(answer.done), "http");
  EXPECT_EQ(answer.done.failure->message, "HTTP 503: Loading model");
}

TEST(OpenAi, FailsOnAnErrorInsideA200) {
  ScriptedServer server([](Connection& connection) {
    while (!connection.ReadRequest().empty()) connection.Answer("200 OK", "{\"error\":\"broken\"}");
  });
  const auto engine = MakeEngine(server);
  EXPECT_EQ(FailureKind(engine->Chat(Hello(), Cancel()).done), "in-band");
  EXPECT_EQ(FailureKind(engine->Image(ImageRequest(), Cancel()).done), "in-band");
  EXPECT_EQ(FailureKind(engine->Transcribe(SpeechRequest(), Cancel()).done), "in-band");
}

TEST(OpenAi, FlagsTheOneRetry) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.SendHead();
    connection.SendChunk(std::string(kToken) + kEnd);
    connection.SendLastChunk();
    if (connection.number() == 0) connection.ReadRequest();  // then closes without a byte
  });
  const auto engine = MakeEngine(server);
  EXPECT_FALSE(engine->Chat(Hello(), Cancel()).done.retried);
  const ChatAnswer second = engine->Chat(Hello(), Cancel());
  EXPECT_TRUE(second.done.retried);
  EXPECT_EQ(FailureKind(second.done), "");
}

TEST(OpenAi, NegotiatesTheTokenLimitOnce) {
  std::atomic<int> refusals = 0;
  ScriptedServer server([&refusals](Connection& connection) {
    for (std::string request; !(request = connection.ReadRequest()).empty();) {
      if (request.find("\"max_tokens\"") == std::string::npos) {
        connection.Answer("200 OK", std::string(kToken) + kEnd);
      } else {
        ++refusals;
        connection.Answer("400 Bad Request",
                          "{\"error\":{\"message\":\"use 'max_completion_tokens' instead\"}}");
      }
    }
  });
  const auto engine = MakeEngine(server);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(engine->Chat(Hello(), Cancel()).content, "a");
  EXPECT_EQ(refusals, 1);
}

TEST(OpenAi, DoesNotRepeatOtherRefusals) {
  std::atomic<int> requests = 0;
  ScriptedServer server([&requests](Connection& connection) {
    while (!connection.ReadRequest().empty()) {
      ++requests;
      connection.Answer("400 Bad Request", "no");
    }
  });
  EXPECT_EQ(MakeEngine(server)->Chat(Hello(), Cancel()).done.failure->message, "HTTP 400: no");
  EXPECT_EQ(requests, 1);
}

TEST(OpenAi, BoundsAnEndlessStream) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.SendHead();
    std::string many;
    for (int i = 0; i < 1000; ++i) many += kToken;
    while (connection.SendChunk(many)) continue;
  });
  const ChatAnswer answer = MakeEngine(server)->Chat(Hello(), Cancel());
  EXPECT_EQ(FailureKind(answer.done), "protocol");
  EXPECT_THAT(answer.done.failure->message, HasSubstr("over the limit"));
}

TEST(OpenAi, SaysThatNobodyListens) {
  std::unique_ptr<Engine> engine;
  {
    engine = MakeEngine(ScriptedServer([](Connection&) {}));
  }
  EXPECT_EQ(FailureKind(engine->Chat(Hello(), Cancel()).done), "connect");
}

TEST(OpenAi, PinnedLengthIsNoted) {
  ScriptedServer server(Stream(std::string(kToken) + kEnd));
  ChatRequest request = Hello();
  request.ignore_eos = true;
  const ChatAnswer answer = MakeEngine(server)->Chat(request, Cancel());
  EXPECT_EQ(answer.done.pinned_tokens, 4);
  EXPECT_EQ(answer.done.stream_tokens, 1) << "an early end is the report's to judge";
}

TEST(OpenAi, AsksOnlyOurOwnEnginesForRunningUsage) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Answer("200 OK", std::string(kToken) + kEnd);
  });
  MakeEngine(server)->Chat(Hello(), Cancel());
  EXPECT_EQ(server.last_request().find("continuous_usage_stats"), std::string::npos);
  Endpoint ours;
  ours.spec.use = "embedded-text";
  ours.base_url = server.url("/v1");
  kOpenAiProtocol.make(std::move(ours))->Chat(Hello(), Cancel());
  EXPECT_THAT(server.last_request(), HasSubstr("\"continuous_usage_stats\":true"));
}

TEST(OpenAi, StampsImageSteps) {
  std::string stream;
  for (int step = 1; step <= 3; ++step) {
    stream += fmt::format(
        "data: {{\"type\":\"image_generation.step\",\"step\":{},\"total\":3,\"ms\":1}}\n\n", step);
  }
  stream += fmt::format("data: {{\"type\":\"image_generation.completed\",\"b64_json\":\"{}\"}}\n\n",
                        kPng);
  ScriptedServer server(Stream(stream));
  const ImageAnswer answer = MakeEngine(server)->Image(ImageRequest(), Cancel());
  EXPECT_EQ(FailureKind(answer.done), "");
  EXPECT_EQ(answer.done.steps.size(), 3u);
  EXPECT_GE(answer.done.steps.front(), answer.done.t_send);
  EXPECT_EQ(answer.png, "\x89PNG\r\n\x1A\n");
  EXPECT_EQ(answer.done.image_bytes, 8);
}

TEST(OpenAi, TakesAWholeImageWithoutSteps) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Answer("200 OK", fmt::format("{{\"data\":[{{\"b64_json\":\"{}\"}}]}}", kPng));
  });
  ImageRequest request;
  request.width = 1024;
  request.height = 768;
  request.steps = 8;
  const ImageAnswer answer = MakeEngine(server)->Image(request, Cancel());
  EXPECT_EQ(FailureKind(answer.done), "");
  EXPECT_TRUE(answer.done.steps.empty());
  EXPECT_EQ(answer.png.size(), 8u);
  EXPECT_THAT(server.last_request(), HasSubstr("\"size\":\"1024x768\""));
  EXPECT_THAT(server.last_request(), HasSubstr("\"steps\":8"));
}

TEST(OpenAi, AnImageMustBeThereAndBeAPng) {
  for (const char* stream :
       {"data: {\"type\":\"image_generation.step\",\"step\":1}\n\n",
        "data: {\"type\":\"image_generation.completed\",\"b64_json\":\"aGVsbG8=\"}\n\n",
        "data: {\"type\":\"image_generation.completed\",\"b64_json\":\"%%%\"}\n\n", "{\"data\":[]}",
        "data: no json\n\n"}) {
    ScriptedServer server(Stream(stream));
    EXPECT_EQ(FailureKind(MakeEngine(server)->Image(ImageRequest(), Cancel()).done), "protocol")
        << stream;
  }
}

TEST(OpenAi, TranscribesAForm) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Answer("200 OK", "{\"text\":\" hello \"}");
  });
  SpeechRequest request;
  request.wav = std::string("RIFF\0\r\n--cbench-form-boundary-0", 31);
  const SpeechAnswer answer = MakeEngine(server)->Transcribe(request, Cancel());
  EXPECT_EQ(FailureKind(answer.done), "");
  EXPECT_EQ(answer.text, " hello ");
  EXPECT_THAT(server.last_request(), HasSubstr("boundary=cbench-form-boundary-1\r\n"))
      << "0 occurs in the file";
  EXPECT_THAT(server.last_request(), HasSubstr(request.wav + "\r\n--cbench-form-boundary-1--\r\n"));
  EXPECT_THAT(server.last_request(), HasSubstr("name=\"language\"\r\n\r\nen\r\n"));
}

TEST(OpenAi, ATranscriptMustBeThere) {
  for (const char* body : {"", "{}", "{\"text\":5}", "[]", "<html>"}) {
    ScriptedServer server([body](Connection& connection) {
      connection.ReadRequest();
      connection.Answer("200 OK", body);
    });
    EXPECT_EQ(FailureKind(MakeEngine(server)->Transcribe(SpeechRequest(), Cancel()).done),
              "protocol")
        << body;
  }
}

TEST(Registry, FindsItsProtocols) {
  EXPECT_EQ(FindProtocol("openai"), &kOpenAiProtocol);
  EXPECT_EQ(FindProtocol("nonsense"), nullptr);
  for (const Protocol* protocol : Protocols()) EXPECT_TRUE(protocol->available()) << protocol->name;
}

}  // namespace
}  // namespace cbench::engine
