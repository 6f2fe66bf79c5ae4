#include "base/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "base/testing/scripted_server.h"
#include "base/testing/wire_case.h"

namespace cbench {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// `hello hello … hello `, 100 times, as gzip makes it (mtime 0).
constexpr char kGzip[] = "1f8b0800000000000203cb48cdc9c957c818254749aa9200f331a20d58020000";

HttpRequest Get(const ScriptedServer& server) {
  HttpRequest request;
  request.url = server.url();
  request.timeout = 60 * kSecond;  // no test gets near it
  return request;
}

struct Got {
  HttpOutcome outcome;
  std::string body;
};

Got Perform(HttpClient& client, HttpRequest request, const Cancel& cancel = Cancel()) {
  Got got;
  auto outcome = client.Perform(
      std::move(request),
      [&got](const HttpChunk& chunk) {
        got.body += chunk.bytes;
        return true;
      },
      cancel);
  EXPECT_TRUE(outcome) << outcome.error().message;
  if (outcome) got.outcome = *outcome;
  return got;
}

TEST(HttpClient, GetsABody) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Answer("200 OK", "hello");
  });
  HttpClient client;
  const Nanos before = Now();
  const Got got = Perform(client, Get(server));
  EXPECT_EQ(got.outcome.end, HttpEnd::kComplete);
  EXPECT_EQ(got.outcome.status, 200);
  EXPECT_EQ(got.body, "hello");
  EXPECT_GE(got.outcome.t_send, before);
  EXPECT_GE(got.outcome.t_end, got.outcome.t_send);
  EXPECT_FALSE(got.outcome.retried);
}

TEST(HttpClient, PostsABodyOfAnyBytes) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Answer("503 Service Unavailable", "loading");
  });
  HttpClient client;
  HttpRequest request = Get(server);
  request.method = "POST";
  request.headers = {"Content-Type: x/y", "X-Cbench-App: chat"};
  request.body = std::string(2u << 20, 'b') + std::string("\0z", 2);
  const Got got = Perform(client, std::move(request));
  EXPECT_EQ(got.outcome.status, 503);
  EXPECT_EQ(got.body, "loading");
  EXPECT_THAT(server.last_request(), StartsWith("POST / HTTP/1.1\r\n"));
  EXPECT_THAT(server.last_request(), HasSubstr("X-Cbench-App: chat\r\n"));
  EXPECT_THAT(server.last_request(), testing::Not(HasSubstr("Expect:")));
  const std::string seen = server.last_request();
  EXPECT_EQ(seen.substr(seen.find("\r\n\r\n") + 4).size(), (2u << 20) + 2);
}

TEST(HttpClient, KeepsAConnectionAlive) {
  std::atomic<int> connections = 0;
  ScriptedServer server([&connections](Connection& connection) {
    ++connections;
    while (!connection.ReadRequest().empty()) connection.Answer("200 OK", "x");
  });
  HttpClient client;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Perform(client, Get(server)).body, "x");
  EXPECT_EQ(connections, 1);
}

// The server takes the second request on the kept connection and closes without a byte.
TEST(HttpClient, SendsOnceMoreWhenAKeptConnectionWasClosed) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Answer("200 OK", std::to_string(connection.number()));
    if (connection.number() == 0) connection.ReadRequest();
  });
  HttpClient client;
  EXPECT_FALSE(Perform(client, Get(server)).outcome.retried);
  const Got second = Perform(client, Get(server));
  EXPECT_EQ(second.body, "1");
  EXPECT_TRUE(second.outcome.retried);
}

TEST(HttpClient, DoesNotRetryOnAFreshConnection) {
  std::atomic<int> requests = 0;
  ScriptedServer server([&requests](Connection& connection) {
    if (!connection.ReadRequest().empty()) ++requests;
  });
  HttpClient client;
  EXPECT_EQ(Perform(client, Get(server)).outcome.end, HttpEnd::kLost);
  EXPECT_EQ(requests, 1);
}

TEST(HttpClient, KeepsWhatCameBeforeAReset) {
  Cancel received;
  ScriptedServer server([&received](Connection& connection) {
    connection.ReadRequest();
    connection.SendHead();
    connection.SendChunk("part");
    received.WaitUntil(Now() + 60 * kSecond);
    connection.Reset();
  });
  HttpClient client;
  std::string body;
  const auto outcome = client.Perform(
      Get(server),
      [&](const HttpChunk& chunk) {
        body += chunk.bytes;
        received.Trigger();
        return true;
      },
      Cancel());
  EXPECT_EQ(body, "part");
  EXPECT_EQ(outcome->end, HttpEnd::kLost);
  EXPECT_EQ(outcome->status, 200);
}

TEST(HttpClient, NoticesATruncatedBody) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
  });
  HttpClient client;
  const Got got = Perform(client, Get(server));
  EXPECT_EQ(got.body, "half");
  EXPECT_EQ(got.outcome.end, HttpEnd::kLost);
}

void SendPartAndHang(Connection& connection) {
  connection.ReadRequest();
  connection.SendHead();
  connection.SendChunk("part");
  connection.WaitUntilClosed();
}

// On a busy machine the first bytes may come after the limit; then it is the limit that was too
// short, and a longer one is tried.
TEST(HttpClient, EndsAStall) {
  ScriptedServer server(SendPartAndHang);
  HttpClient client;
  HttpRequest request = Get(server);
  Got got;
  for (request.stall = 20 * kMillisecond; got.body.empty() && request.stall < request.timeout;
       request.stall *= 2) {
    got = Perform(client, request);
    EXPECT_EQ(got.outcome.end, HttpEnd::kStall);
  }
  EXPECT_EQ(got.body, "part");
  EXPECT_EQ(got.outcome.status, 200);
}

TEST(HttpClient, EndsAtTheTimeout) {
  ScriptedServer server(SendPartAndHang);
  HttpClient client;
  HttpRequest request = Get(server);
  request.timeout = 20 * kMillisecond;
  const Nanos before = Now();
  const Got got = Perform(client, std::move(request));
  EXPECT_EQ(got.outcome.end, HttpEnd::kTimeout);
  EXPECT_GE(Now() - before, 20 * kMillisecond);
}

TEST(HttpClient, BytesPutOffAStallButNotTheTimeout) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.SendHead();
    const Cancel never;
    while (connection.SendChunk(".")) never.WaitUntil(Now() + kMillisecond);
  });
  HttpClient client;
  HttpRequest request = Get(server);
  request.stall = 30 * kSecond;
  request.timeout = 100 * kMillisecond;
  EXPECT_EQ(Perform(client, std::move(request)).outcome.end, HttpEnd::kTimeout);
}

TEST(HttpClient, CancelsMidStream) {
  ScriptedServer server(SendPartAndHang);
  HttpClient client;
  Cancel cancel;
  std::string body;
  const auto outcome = client.Perform(
      Get(server),
      [&](const HttpChunk& chunk) {
        body += chunk.bytes;
        // From another thread: a handler must not call back into the client.
        std::thread([&cancel] { cancel.Trigger(); }).join();
        return true;
      },
      cancel);
  EXPECT_EQ(body, "part");
  EXPECT_EQ(outcome->end, HttpEnd::kCancelled);
}

TEST(HttpClient, DoesNotStartWhatIsCancelledAlready) {
  ScriptedServer server(SendPartAndHang);
  HttpClient client;
  Cancel cancel;
  cancel.Trigger();
  EXPECT_EQ(Perform(client, Get(server), cancel).outcome.end, HttpEnd::kCancelled);
}

TEST(HttpClient, StopsWhenAHandlerHasEnough) {
  ScriptedServer server(SendPartAndHang);
  HttpClient client;
  const auto outcome =
      client.Perform(Get(server), [](const HttpChunk&) { return false; }, Cancel());
  EXPECT_EQ(outcome->end, HttpEnd::kStopped);
}

TEST(HttpClient, BoundsAnEndlessResponse) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.SendHead();
    while (connection.SendChunk(std::string(1000, 'x'))) continue;
  });
  HttpClient client;
  HttpRequest request = Get(server);
  request.max_response = 100'000;
  const Got got = Perform(client, std::move(request));
  EXPECT_EQ(got.outcome.end, HttpEnd::kTooLarge);
  EXPECT_LE(got.body.size(), 100'000u);
}

TEST(HttpClient, UnpacksGzip) {
  ScriptedServer server([](Connection& connection) {
    EXPECT_THAT(connection.ReadRequest(), HasSubstr("Accept-Encoding: gzip\r\n"));
    connection.Answer("200 OK", FromHex(kGzip), "Content-Encoding: gzip\r\n");
  });
  HttpClient client;
  EXPECT_EQ(Perform(client, Get(server)).body, ExpandBytes({{"repeat", "hello "}, {"times", 100}}));
}

TEST(HttpClient, CallsBrokenGzipAProtocolError) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Answer("200 OK", "this is no gzip", "Content-Encoding: gzip\r\n");
  });
  HttpClient client;
  EXPECT_EQ(Perform(client, Get(server)).outcome.end, HttpEnd::kProtocol);
}

TEST(HttpClient, FollowsNoRedirect) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadRequest();
    connection.Answer("302 Found", "", "Location: http://127.0.0.1:1/\r\n");
  });
  HttpClient client;
  EXPECT_EQ(Perform(client, Get(server)).outcome.status, 302);
}

TEST(HttpClient, ReportsThatNobodyListens) {
  std::string url;
  {
    url = ScriptedServer([](Connection&) {}).url();
  }
  HttpClient client;
  HttpRequest request;
  request.url = url;
  const Got got = Perform(client, std::move(request));
  EXPECT_EQ(got.outcome.end, HttpEnd::kConnect);
  EXPECT_THAT(got.outcome.message, HasSubstr(url));
  EXPECT_EQ(got.outcome.t_send, 0);
}

TEST(HttpClient, CancelsWhatIsInFlightWhenItEnds) {
  ScriptedServer server(SendPartAndHang);
  std::atomic<int> ends = 0;
  {
    HttpClient client;
    HttpHandlers handlers;
    handlers.on_end = [&ends](const HttpOutcome& outcome) {
      EXPECT_EQ(outcome.end, HttpEnd::kCancelled);
      ++ends;
    };
    ASSERT_TRUE(client.Start(Get(server), handlers));
    ASSERT_TRUE(client.Start(Get(server), handlers));
  }
  EXPECT_EQ(ends, 2);
}

TEST(HttpClient, ServesManyThreadsAtOnce) {
  ScriptedServer server([](Connection& connection) {
    while (!connection.ReadRequest().empty()) connection.Answer("200 OK", "x");
  });
  HttpClient client;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) EXPECT_EQ(Perform(client, Get(server)).body, "x");
    });
  }
}

TEST(HttpClient, RefusesOtherMachinesAndSchemes) {
  HttpClient client;
  for (const char* url : {"http://192.168.1.1/", "http://example.com/", "https://127.0.0.1/",
                          "http://127.0.0.1.example.com/", "file:///etc/passwd",
                          "http://user@10.0.0.1/", "http://[::2]/", "127.0.0.1:80", ""}) {
    HttpRequest request;
    request.url = url;
    const auto started = client.Start(std::move(request), {});
    ASSERT_FALSE(started) << url;
    EXPECT_EQ(started.error().kind, ErrorKind::kInput);
    EXPECT_THAT(started.error().message, HasSubstr(url));
  }
  for (const char* url :
       {"http://127.0.0.1:8080/v1", "http://localhost/", "http://[::1]:80/", "http://127.1/"}) {
    EXPECT_TRUE(CheckLoopbackUrl(url)) << url;
  }
}

}  // namespace
}  // namespace cbench
